import { type DirectoryData, UNITS_PER_DEGREE } from './directory-data.js';
import {
  LEAST_METRES_PER_DEGREE,
  cosineOfDegrees,
  geodesicMetres,
  metresPerDegree,
  positionOf,
} from './geodesic.js';
import { LeastDistances } from './least-distances.js';
import { ringsAround, type CellRange } from './rings.js';

export interface NearestQuery {
  /** Degrees, WGS84. */
  readonly latitude: number;
  readonly longitude: number;
  readonly limit: number;
  readonly radiusMetres: number;
}

/** A row of the directory and its distance in metres, to one decimal. */
interface NearbyRow {
  readonly row: number;
  readonly distanceMetres: number;
}

/** More than the flat measure errs by, and than rounding to one decimal can move a distance. */
const SLACK_METRES = 0.5;
/** Nearer to a pole the flat measure is not good enough; all around the pole, every distance is taken exactly. */
const FLAT_UP_TO_DEGREES = 70;
const WHOLE_TURN = 360 * UNITS_PER_DEGREE;

type Directory = Pick<DirectoryData, 'grid' | 'latitude' | 'longitude'>;
/** Metres, squared, from the point asked to a row. */
type SquaredDistance = (row: number) => number;

function flatMeasure({ latitude, longitude }: Directory, query: NearestQuery, turn: number): SquaredDistance {
  const scale = metresPerDegree(query.latitude);
  const perUnit = {
    latitude: scale.latitude / UNITS_PER_DEGREE,
    longitude: scale.longitude / UNITS_PER_DEGREE,
    halfChange: scale.longitudeChange / 2 / UNITS_PER_DEGREE / UNITS_PER_DEGREE,
  };
  const north = query.latitude * UNITS_PER_DEGREE;
  const east = query.longitude * UNITS_PER_DEGREE + turn;
  return (row) => {
    const up = (latitude[row] ?? 0) - north;
    const y = up * perUnit.latitude;
    const x = ((longitude[row] ?? 0) - east) * (perUnit.longitude + up * perUnit.halfChange);
    return x * x + y * y;
  };
}

const distanceFrom = ({ latitude, longitude }: Directory, query: NearestQuery) => {
  const from = positionOf(query.latitude, query.longitude);
  return (row: number) => {
    const to = positionOf((latitude[row] ?? 0) / UNITS_PER_DEGREE, (longitude[row] ?? 0) / UNITS_PER_DEGREE);
    return geodesicMetres(from, to);
  };
};

function scan({ grid }: Directory, range: CellRange, measure: SquaredDistance, found: LeastDistances) {
  for (let cells = range.row * grid.columns, column = range.from; column <= range.to; column += 1) {
    const end = grid.starts[cells + column + 1] ?? 0;
    for (let place = grid.starts[cells + column] ?? 0; place < end; place += 1) {
      const row = grid.entries[place] ?? 0;
      found.offer(row, measure(row));
    }
  }
}

/** Offers every row that may be near, once for each turn of the globe on which the grid meets the circle. */
function collect(directory: Directory, query: NearestQuery, found: LeastDistances) {
  const { grid } = directory;
  const reach = query.radiusMetres + 2 * SLACK_METRES;
  const latitudeReach = reach / LEAST_METRES_PER_DEGREE.latitude;
  const farthest = Math.min(90, Math.abs(query.latitude) + latitudeReach);
  const leastWidth = LEAST_METRES_PER_DEGREE.longitude * cosineOfDegrees(farthest);
  const longitudeReach = reach / Math.max(leastWidth, 1);
  const flat = farthest < FLAT_UP_TO_DEGREES;
  const exact = distanceFrom(directory, query);

  for (const turn of flat ? [-WHOLE_TURN, 0, WHOLE_TURN] : [0]) {
    const circle = {
      y: query.latitude * UNITS_PER_DEGREE,
      x: flat ? query.longitude * UNITS_PER_DEGREE + turn : grid.west,
      height: latitudeReach * UNITS_PER_DEGREE,
      width: flat ? longitudeReach * UNITS_PER_DEGREE : WHOLE_TURN,
    };
    const perUnit = {
      y: LEAST_METRES_PER_DEGREE.latitude / UNITS_PER_DEGREE,
      x: flat ? leastWidth / UNITS_PER_DEGREE : 0,
    };
    const measure = flat ? flatMeasure(directory, query, turn) : (row: number) => exact(row) ** 2;
    for (const ring of ringsAround(grid, circle)) {
      if (ring.leastMetres(perUnit) > found.reachMetres) break;
      for (const range of ring.ranges) scan(directory, range, measure, found);
    }
  }
  return exact;
}

/** The active rows around a point, nearest first, equal distances in the order of the directory. */
export function nearestRows(directory: Directory, query: NearestQuery): NearbyRow[] {
  const found = new LeastDistances(query.limit, query.radiusMetres, SLACK_METRES);
  const exact = collect(directory, query, found);
  const nearby: NearbyRow[] = [];
  for (const row of found.rows()) {
    const metres = exact(row);
    if (metres <= query.radiusMetres) nearby.push({ row, distanceMetres: Math.round(metres * 10) / 10 });
  }
  nearby.sort((one, other) => one.distanceMetres - other.distanceMetres || one.row - other.row);
  return nearby.slice(0, query.limit);
}
