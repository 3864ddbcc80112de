import { MAX_ROWS, UNITS_PER_DEGREE } from '../table/directory-data.js';
import { POINT_NUMBERS, type PointGrid } from '../table/grid.js';
import { NearestCandidates } from './candidates.js';
import {
  MIN_METRES_PER_DEGREE,
  cosineOfDegrees,
  geodesicMetres,
  metresPerDegree,
  positionOf,
} from './geodesic.js';
import { Rings } from './rings.js';

export interface NearestQuery {
  /** In degrees on WGS84, like `longitude`. */
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

/** A part of the rows in range, and their total number. */
export interface NearestPage {
  readonly nearby: readonly NearbyRow[];
  readonly total: number;
}

/** The maximum error of distances measured as if the earth were flat, plus that of rounding to one decimal. */
const SLACK_METRES = 0.5;
/** Measuring as if the earth were flat is too inexact for a search that reaches this latitude north or south. */
const FLAT_UP_TO_DEGREES = 70;
const WHOLE_TURN = 360 * UNITS_PER_DEGREE;
const EVERY_TURN = [-WHOLE_TURN, 0, WHOLE_TURN];
const ONE_TURN = [0];

interface Measure {
  /**
   * Adds points to the candidates if they are within reach. The points are the numbers of the array `points` from index
   * `from` up to, but not including, `to`.
   */
  offer(points: Int32Array, from: number, to: number): void;
}

/**
 * Measures distances as if the earth were flat around the centre of the search, which is accurate near it. The
 * centre may be shifted by a full turn of the globe.
 */
class FlatMeasure implements Measure {
  readonly #north: number;
  readonly #east: number;
  readonly #metresUp: number;
  readonly #metresAcross: number;
  readonly #halfChange: number;

  constructor(
    readonly candidates: NearestCandidates,
    query: NearestQuery,
    turn: number,
  ) {
    const scale = metresPerDegree(query.latitude);
    this.#north = query.latitude * UNITS_PER_DEGREE;
    this.#east = query.longitude * UNITS_PER_DEGREE + turn;
    this.#metresUp = scale.latitude / UNITS_PER_DEGREE;
    this.#metresAcross = scale.longitude / UNITS_PER_DEGREE;
    this.#halfChange = scale.longitudeChange / 2 / UNITS_PER_DEGREE / UNITS_PER_DEGREE;
  }

  offer(points: Int32Array, from: number, to: number): void {
    const { candidates } = this;
    const north = this.#north;
    const east = this.#east;
    const metresUp = this.#metresUp;
    const metresAcross = this.#metresAcross;
    const halfChange = this.#halfChange;
    let reachSquared = candidates.reachSquared;
    for (let index = from; index < to; index += POINT_NUMBERS) {
      const up = (points[index] ?? 0) - north;
      const y = up * metresUp;
      const x = ((points[index + 1] ?? 0) - east) * (metresAcross + up * halfChange);
      const squared = x * x + y * y;
      if (squared > reachSquared) continue;
      candidates.take(index, squared);
      reachSquared = candidates.reachSquared;
    }
  }
}

class ExactMeasure implements Measure {
  readonly #from;

  constructor(
    readonly candidates: NearestCandidates,
    { latitude, longitude }: NearestQuery,
  ) {
    this.#from = positionOf(latitude, longitude);
  }

  metres(points: Int32Array, index: number): number {
    const latitude = (points[index] ?? 0) / UNITS_PER_DEGREE;
    const longitude = (points[index + 1] ?? 0) / UNITS_PER_DEGREE;
    return geodesicMetres(this.#from, positionOf(latitude, longitude));
  }

  offer(points: Int32Array, from: number, to: number): void {
    const { candidates } = this;
    for (let index = from; index < to; index += POINT_NUMBERS) {
      const squared = this.metres(points, index) ** 2;
      if (squared <= candidates.reachSquared) candidates.take(index, squared);
    }
  }
}

/**
 * How far the box around the circle of a search extends, in degrees; the minimum length of a degree of longitude in the
 * box, in metres; and whether a flat search is exact enough.
 */
function reachOf({ latitude, radiusMetres }: NearestQuery) {
  const reach = radiusMetres + 2 * SLACK_METRES;
  const latitudeReach = reach / MIN_METRES_PER_DEGREE.latitude;
  const farthest = Math.min(90, Math.abs(latitude) + latitudeReach);
  const minWidth = MIN_METRES_PER_DEGREE.longitude * cosineOfDegrees(farthest);
  const longitudeReach = reach / Math.max(minWidth, 1);
  return { latitudeReach, longitudeReach, minWidth, isFlat: farthest < FLAT_UP_TO_DEGREES };
}

/** Searches one grid. Runs one search at a time. */
export class NearestSearch {
  readonly #grid: PointGrid;
  /** Reused by every search, so that its arrays are not allocated each time. */
  readonly #candidates = new NearestCandidates(SLACK_METRES);

  constructor(grid: PointGrid) {
    this.#grid = grid;
  }

  /**
   * The active rows within the radius of a point, at most `limit`, nearest first. Rows with the same distance, to one
   * decimal, are in the order of the directory.
   */
  find(query: NearestQuery): NearbyRow[] {
    const exact = new ExactMeasure(this.#candidates, query);
    this.#candidates.begin(query.limit, query.radiusMetres);
    this.#collect(query, exact);
    return this.#sorted(query, exact);
  }

  /** Like `find`, but skips `offset` results and also returns the total in range. */
  findPage(query: NearestQuery, offset: number): NearestPage {
    const { points } = this.#grid;
    const queryFromStart = { ...query, limit: offset + query.limit };
    const exact = new ExactMeasure(this.#candidates, query);
    this.#candidates.begin(queryFromStart.limit, query.radiusMetres, true);
    this.#collect(query, exact);
    const total = this.#candidates.countWithin(query.radiusMetres, (index) => exact.metres(points, index));
    return { nearby: this.#sorted(queryFromStart, exact).slice(offset), total };
  }

  /**
   * The candidates within the radius, at most `query.limit`, in order of their distance to one decimal, then of their
   * row.
   */
  #sorted(query: NearestQuery, exact: ExactMeasure): NearbyRow[] {
    const { points } = this.#grid;
    // Combines distance and row in one number, so that sorting orders by distance and then by row.
    const nearby: number[] = [];
    for (const index of this.#candidates.points()) {
      const metres = exact.metres(points, index);
      if (metres > query.radiusMetres) continue;
      nearby.push(Math.round(metres * 10) * MAX_ROWS + (points[index + 2] ?? 0));
    }
    nearby.sort((one, other) => one - other);
    return nearby.slice(0, query.limit).map((number) => ({
      row: number % MAX_ROWS,
      distanceMetres: Math.trunc(number / MAX_ROWS) / 10,
    }));
  }

  /**
   * Adds to the candidates every point that may be near. A flat search is repeated with its centre shifted by a full
   * turn of the globe in both directions, to find points across the antimeridian.
   */
  #collect(query: NearestQuery, exact: ExactMeasure) {
    const grid = this.#grid;
    const { latitudeReach, longitudeReach, minWidth, isFlat } = reachOf(query);
    const perUnit = {
      y: MIN_METRES_PER_DEGREE.latitude / UNITS_PER_DEGREE,
      x: isFlat ? minWidth / UNITS_PER_DEGREE : 0,
    };
    for (const turn of isFlat ? EVERY_TURN : ONE_TURN) {
      const circle = {
        y: query.latitude * UNITS_PER_DEGREE,
        x: isFlat ? query.longitude * UNITS_PER_DEGREE + turn : grid.west,
        height: latitudeReach * UNITS_PER_DEGREE,
        width: isFlat ? longitudeReach * UNITS_PER_DEGREE : WHOLE_TURN,
      };
      const rings = new Rings(grid, circle, perUnit);
      if (rings.count > 0)
        this.#measureRings(rings, isFlat ? new FlatMeasure(this.#candidates, query, turn) : exact);
    }
  }

  /** Measures the points of the cells, ring by ring from the middle, until a ring is out of reach. */
  #measureRings(rings: Rings, measure: Measure) {
    const { points, starts, columns } = this.#grid;
    const candidates = this.#candidates;
    const visit = (row: number, from: number, to: number) => {
      if (rings.minMetresOf(row, from, to) > candidates.reachMetres) return;
      const cells = row * columns;
      const start = starts[cells + from] ?? 0;
      const end = starts[cells + to + 1] ?? 0;
      measure.offer(points, start * POINT_NUMBERS, end * POINT_NUMBERS);
    };
    for (let ring = 0; ring < rings.count; ring += 1) {
      if (rings.minMetres(ring) > candidates.reachMetres) break;
      rings.visit(ring, visit);
    }
  }
}
