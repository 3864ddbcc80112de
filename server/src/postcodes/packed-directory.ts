import type { DirectoryData, Grid, NameValues } from './directory-data.js';
import type { DirectoryInfo } from './directory-info.js';
import { NAME_COLUMNS, byNameColumn, type ByNameColumn } from './name-columns.js';
import { EASTING, LATITUDE, LONGITUDE, NORTHING, PackedRows } from './packed-rows.js';

/** How many numbers a point has: latitude and longitude in units, and the row of the directory. */
export const POINT_NUMBERS = 3;

/** A grid whose cells hold the points themselves, so that a search reads memory from one end to the other. */
export interface PointGrid extends Omit<Grid, 'entries'> {
  /** The points cell by cell, `POINT_NUMBERS` each; `starts` counts points. */
  readonly points: Int32Array;
}

/** A whole directory as look-ups want it; rows are sorted by key. */
export interface PackedDirectory {
  readonly info: DirectoryInfo;
  readonly keys: Uint32Array;
  readonly rows: PackedRows;
  /** The names that codes stand for, by column. */
  readonly values: ByNameColumn<NameValues['values']>;
  readonly grid: PointGrid;
}

/** The points of some of the entries of a grid. */
export function packPoints(
  { latitude, longitude }: Pick<DirectoryData, 'latitude' | 'longitude'>,
  entries: Uint32Array,
): Int32Array<ArrayBuffer> {
  const points = new Int32Array(entries.length * POINT_NUMBERS);
  for (let entry = 0; entry < entries.length; entry += 1) {
    const row = entries[entry] ?? 0;
    const place = entry * POINT_NUMBERS;
    points[place] = latitude[row] ?? 0;
    points[place + 1] = longitude[row] ?? 0;
    points[place + 2] = row;
  }
  return points;
}

export const valuesOf = ({ names }: DirectoryData): PackedDirectory['values'] =>
  byNameColumn((column) => names[column].values);

/** Packs the rows of a directory from one on, up to another or to the end. */
export function packRows(data: DirectoryData, from = 0, to = data.keys.length): PackedRows {
  const rows = new PackedRows(to - from, valuesOf(data));
  rows.setCoordinates(LATITUDE, data.latitude.subarray(from, to));
  rows.setCoordinates(LONGITUDE, data.longitude.subarray(from, to));
  rows.setCoordinates(EASTING, data.easting.subarray(from, to));
  rows.setCoordinates(NORTHING, data.northing.subarray(from, to));
  rows.setCodes(rows.active, data.active.subarray(from, to));
  for (const column of NAME_COLUMNS)
    rows.setCodes(rows.names[column], data.names[column].codes.subarray(from, to));
  return rows;
}

/** Packs the columns of a directory. */
export function packDirectory(data: DirectoryData): PackedDirectory {
  const { entries, ...grid } = data.grid;
  const { info, keys } = data;
  return {
    info,
    keys,
    rows: packRows(data),
    values: valuesOf(data),
    grid: { ...grid, points: packPoints(data, entries) },
  };
}
