import { MAX_ROWS } from '../table/directory-builder.js';
import { UNITS_PER_DEGREE } from '../table/directory-data.js';
import {
  MIN_METRES_PER_DEGREE,
  cosineOfDegrees,
  geodesicMetres,
  metresPerDegree,
  positionOf,
} from './geodesic.js';
import { NearestCandidates } from './candidates.js';
import { POINT_NUMBERS, type PointGrid } from '../table/packed-directory.js';
import { Rings } from './rings.js';

export interface NearestQuery {
  /** Degrees, WGS84. */
  readonly latitude: number;
  readonly longitude: number;
  readonly limit: number;
  readonly radiusMetres: number;
}

/** A row of the directory and its distance in metres, to one decimal. */
export interface NearbyRow {
  readonly row: number;
  readonly distanceMetres: number;
}

/** More than the flat measure errs by, and than rounding to one decimal can move a distance. */
const SLACK_METRES = 0.5;
/** Nearer to a pole the flat measure is not good enough; all around the pole, every distance is taken exactly. */
const FLAT_UP_TO_DEGREES = 70;
const WHOLE_TURN = 360 * UNITS_PER_DEGREE;
const EVERY_TURN = [-WHOLE_TURN, 0, WHOLE_TURN];
const ONE_TURN = [0];

interface Measure {
  /** Offers the points of the grid between two places, by their distance from the point asked. */
  offer(points: Int32Array, from: number, to: number): void;
}

const found = new NearestCandidates(SLACK_METRES);

/** True near the point asked, which may be given a turn of the globe off. */
class FlatMeasure implements Measure {
  readonly #north: number;
  readonly #east: number;
  readonly #metresUp: number;
  readonly #metresAcross: number;
  readonly #halfChange: number;

  constructor(query: NearestQuery, turn: number) {
    const scale = metresPerDegree(query.latitude);
    this.#north = query.latitude * UNITS_PER_DEGREE;
    this.#east = query.longitude * UNITS_PER_DEGREE + turn;
    this.#metresUp = scale.latitude / UNITS_PER_DEGREE;
    this.#metresAcross = scale.longitude / UNITS_PER_DEGREE;
    this.#halfChange = scale.longitudeChange / 2 / UNITS_PER_DEGREE / UNITS_PER_DEGREE;
  }

  offer(points: Int32Array, from: number, to: number): void {
    const north = this.#north;
    const east = this.#east;
    const metresUp = this.#metresUp;
    const metresAcross = this.#metresAcross;
    const halfChange = this.#halfChange;
    let reachSquared = found.reachSquared;
    for (let place = from; place < to; place += POINT_NUMBERS) {
      const up = (points[place] ?? 0) - north;
      const y = up * metresUp;
      const x = ((points[place + 1] ?? 0) - east) * (metresAcross + up * halfChange);
      const squared = x * x + y * y;
      if (squared > reachSquared) continue;
      found.take(place, squared);
      reachSquared = found.reachSquared;
    }
  }
}

class ExactMeasure implements Measure {
  readonly #from;

  constructor({ latitude, longitude }: NearestQuery) {
    this.#from = positionOf(latitude, longitude);
  }

  metres(points: Int32Array, place: number): number {
    const latitude = (points[place] ?? 0) / UNITS_PER_DEGREE;
    const longitude = (points[place + 1] ?? 0) / UNITS_PER_DEGREE;
    return geodesicMetres(this.#from, positionOf(latitude, longitude));
  }

  offer(points: Int32Array, from: number, to: number): void {
    for (let place = from; place < to; place += POINT_NUMBERS) {
      const squared = this.metres(points, place) ** 2;
      if (squared <= found.reachSquared) found.take(place, squared);
    }
  }
}

/** Offers every point that may be near, once for each turn of the globe on which the grid meets the circle. */
function collect(grid: PointGrid, query: NearestQuery, exact: ExactMeasure) {
  const reach = query.radiusMetres + 2 * SLACK_METRES;
  const latitudeReach = reach / MIN_METRES_PER_DEGREE.latitude;
  const farthest = Math.min(90, Math.abs(query.latitude) + latitudeReach);
  const leastWidth = MIN_METRES_PER_DEGREE.longitude * cosineOfDegrees(farthest);
  const longitudeReach = reach / Math.max(leastWidth, 1);
  const flat = farthest < FLAT_UP_TO_DEGREES;
  const perUnit = {
    y: MIN_METRES_PER_DEGREE.latitude / UNITS_PER_DEGREE,
    x: flat ? leastWidth / UNITS_PER_DEGREE : 0,
  };

  for (const turn of flat ? EVERY_TURN : ONE_TURN) {
    const circle = {
      y: query.latitude * UNITS_PER_DEGREE,
      x: flat ? query.longitude * UNITS_PER_DEGREE + turn : grid.west,
      height: latitudeReach * UNITS_PER_DEGREE,
      width: flat ? longitudeReach * UNITS_PER_DEGREE : WHOLE_TURN,
    };
    const rings = new Rings(grid, circle, perUnit);
    if (rings.count === 0) continue;
    const measure = flat ? new FlatMeasure(query, turn) : exact;
    const visit = (row: number, from: number, to: number) => {
      if (rings.leastMetresOf(row, from, to) > found.reachMetres) return;
      const cells = row * grid.columns;
      const start = grid.starts[cells + from] ?? 0;
      const end = grid.starts[cells + to + 1] ?? 0;
      measure.offer(grid.points, start * POINT_NUMBERS, end * POINT_NUMBERS);
    };
    for (let ring = 0; ring < rings.count; ring += 1) {
      if (rings.leastMetres(ring) > found.reachMetres) break;
      rings.visit(ring, visit);
    }
  }
}

/** The active rows around a point, nearest first, equal distances in the order of the directory. */
export function nearestRows(grid: PointGrid, query: NearestQuery): NearbyRow[] {
  const exact = new ExactMeasure(query);
  found.begin(query.limit, query.radiusMetres);
  collect(grid, query, exact);
  // A distance and a row as one number, which sorts by the first and then by the second.
  const nearby: number[] = [];
  for (const place of found.points()) {
    const metres = exact.metres(grid.points, place);
    if (metres > query.radiusMetres) continue;
    nearby.push(Math.round(metres * 10) * MAX_ROWS + (grid.points[place + 2] ?? 0));
  }
  nearby.sort((one, other) => one - other);
  return nearby.slice(0, query.limit).map((number) => ({
    row: number % MAX_ROWS,
    distanceMetres: Math.trunc(number / MAX_ROWS) / 10,
  }));
}
