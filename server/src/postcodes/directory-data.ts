import type { DirectoryInfo } from './directory-info.js';
import type { ByNameColumn } from './name-columns.js';

/** In a column of coordinates: there is none. */
export const NO_COORDINATE = -(2 ** 31);
/** Latitude and longitude are held in millionths of a degree. */
export const UNITS_PER_DEGREE = 1_000_000;

export type CodeArray = Uint8Array | Uint16Array | Uint32Array;

/** A column of names: per row a place in `values`, whose first entry stands for no value. */
export interface NameValues {
  readonly codes: CodeArray;
  readonly values: readonly (string | null)[];
}

/** Cells of latitude and longitude, southwest first, each with its active rows. */
export interface Grid {
  /** Units of the southwest corner and of one cell. */
  readonly south: number;
  readonly west: number;
  readonly cellHeight: number;
  readonly cellWidth: number;
  readonly rows: number;
  readonly columns: number;
  /** Where each cell begins in `entries`, and the end after the last. */
  readonly starts: Uint32Array;
  /** Rows of the directory, cell by cell. */
  readonly entries: Uint32Array;
}

/** The whole directory as packed columns, one entry per row, rows sorted by key. */
export interface DirectoryData {
  readonly info: DirectoryInfo;
  readonly keys: Uint32Array;
  /** 1 for a postcode in use, 0 for a terminated one. */
  readonly active: Uint8Array;
  readonly latitude: Int32Array;
  readonly longitude: Int32Array;
  readonly easting: Int32Array;
  readonly northing: Int32Array;
  readonly names: ByNameColumn<NameValues>;
  readonly grid: Grid;
}
