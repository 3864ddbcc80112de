import { NO_COORDINATE, type DirectoryData, type Grid } from './directory-data.js';

/** How many numbers a point takes: latitude and longitude in millionths of a degree, and the row of the directory. */
export const POINT_NUMBERS = 3;

/** A grid whose cells contain the points themselves, so that a search reads memory sequentially. */
export interface PointGrid extends Omit<Grid, 'entries'> {
  /** The points cell by cell, `POINT_NUMBERS` each; `starts` counts points. */
  readonly points: Int32Array;
}

/**
 * The height of the smallest cells, in millionths of a degree. With CELL_WIDTH, they measure about 445 m by 425 m at
 * 54° north.
 */
const CELL_HEIGHT = 4_000;
const CELL_WIDTH = 6_500;
const CELLS_PER_POSTCODE = 4;

interface Coordinates {
  readonly active: Uint8Array;
  readonly latitude: Int32Array;
  readonly longitude: Int32Array;
}

const located = ({ active, latitude }: Coordinates, row: number) =>
  active[row] === 1 && latitude[row] !== NO_COORDINATE;

function bounds(coordinates: Coordinates) {
  const { latitude, longitude } = coordinates;
  const box = { south: Infinity, north: -Infinity, west: Infinity, east: -Infinity, count: 0 };
  for (let row = 0; row < latitude.length; row += 1) {
    if (!located(coordinates, row)) continue;
    const y = latitude[row] ?? 0;
    const x = longitude[row] ?? 0;
    box.count += 1;
    if (y < box.south) box.south = y;
    if (y > box.north) box.north = y;
    if (x < box.west) box.west = x;
    if (x > box.east) box.east = x;
  }
  return box;
}

/**
 * Sorts the active rows that have coordinates into cells. If there are few postcodes, there are fewer and larger
 * cells.
 */
export function buildGrid(coordinates: Coordinates): Grid {
  const { latitude, longitude } = coordinates;
  const { south, north, west, east, count } = bounds(coordinates);
  if (count === 0) {
    const starts = new Uint32Array(1);
    const none = { south: 0, west: 0, cellHeight: CELL_HEIGHT, cellWidth: CELL_WIDTH, rows: 0, columns: 0 };
    return { ...none, starts, entries: new Uint32Array(0) };
  }
  const finest = ((north - south) / CELL_HEIGHT + 1) * ((east - west) / CELL_WIDTH + 1);
  const scale = Math.max(1, Math.sqrt(finest / (count * CELLS_PER_POSTCODE)));
  const cellHeight = Math.ceil(CELL_HEIGHT * scale);
  const cellWidth = Math.ceil(CELL_WIDTH * scale);
  const rows = Math.floor((north - south) / cellHeight) + 1;
  const columns = Math.floor((east - west) / cellWidth) + 1;
  const cellOf = (row: number) =>
    Math.floor(((latitude[row] ?? 0) - south) / cellHeight) * columns +
    Math.floor(((longitude[row] ?? 0) - west) / cellWidth);

  // First counts the rows of each cell, then computes where each cell ends. Filling each cell from its end turns these
  // ends into starts.
  const starts = new Uint32Array(rows * columns + 1);
  for (let row = 0; row < latitude.length; row += 1) {
    if (!located(coordinates, row)) continue;
    const cell = cellOf(row);
    starts[cell] = (starts[cell] ?? 0) + 1;
  }
  for (let cell = 1; cell < starts.length; cell += 1) {
    starts[cell] = (starts[cell] ?? 0) + (starts[cell - 1] ?? 0);
  }
  const entries = new Uint32Array(count);
  for (let row = latitude.length - 1; row >= 0; row -= 1) {
    if (!located(coordinates, row)) continue;
    const cell = cellOf(row);
    const index = (starts[cell] ?? 0) - 1;
    starts[cell] = index;
    entries[index] = row;
  }
  return { south, west, cellHeight, cellWidth, rows, columns, starts, entries };
}

/** The points of these rows of the directory, `POINT_NUMBERS` numbers each. */
export function packPoints(
  { latitude, longitude }: Pick<DirectoryData, 'latitude' | 'longitude'>,
  entries: Uint32Array,
): Int32Array<ArrayBuffer> {
  const points = new Int32Array(entries.length * POINT_NUMBERS);
  for (let entry = 0; entry < entries.length; entry += 1) {
    const row = entries[entry] ?? 0;
    const index = entry * POINT_NUMBERS;
    points[index] = latitude[row] ?? 0;
    points[index + 1] = longitude[row] ?? 0;
    points[index + 2] = row;
  }
  return points;
}
