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

export function packGrid({ entries, ...grid }: Grid, rows: PackedRows): PointGrid {
  const points = new Int32Array(entries.length * POINT_NUMBERS);
  for (let entry = 0; entry < entries.length; entry += 1) {
    const row = entries[entry] ?? 0;
    const place = entry * POINT_NUMBERS;
    points[place] = rows.coordinate(row, LATITUDE);
    points[place + 1] = rows.coordinate(row, LONGITUDE);
    points[place + 2] = row;
  }
  return { ...grid, points };
}

/** Packs the columns of a directory. */
export function packDirectory(data: DirectoryData): PackedDirectory {
  const values = byNameColumn((column) => data.names[column].values);
  const rows = new PackedRows(data.keys.length, values);
  rows.setCoordinates(LATITUDE, data.latitude);
  rows.setCoordinates(LONGITUDE, data.longitude);
  rows.setCoordinates(EASTING, data.easting);
  rows.setCoordinates(NORTHING, data.northing);
  rows.setCodes(rows.active, data.active);
  for (const column of NAME_COLUMNS) rows.setCodes(rows.names[column], data.names[column].codes);
  return { info: data.info, keys: data.keys, rows, values, grid: packGrid(data.grid, rows) };
}
