import { z } from 'zod';
import type { DetailField } from './detail-columns.js';

/**
 * The fields of a record that the directory stores as codes and that tables of names translate. They are grouped in
 * runs of neighbours, whose values have few combinations: mostly one for each value of the last field in the run.
 */
export const NAME_RUNS = [
  ['country', 'region', 'localAuthority', 'ward'],
  ['constituency'],
  ['lsoa'],
  ['msoa'],
  ['policeForce', 'icb'],
] as const;

export type NameColumn = (typeof NAME_RUNS)[number][number];

export const NAME_COLUMNS: readonly NameColumn[] = NAME_RUNS.flat();

/** One value for each name column. */
export type ByNameColumn<Value> = Readonly<Record<NameColumn, Value>>;

/** Builds one value for each name column. */
export const byNameColumn = <Value>(valueOf: (column: NameColumn) => Value): ByNameColumn<Value> => ({
  country: valueOf('country'),
  region: valueOf('region'),
  localAuthority: valueOf('localAuthority'),
  ward: valueOf('ward'),
  constituency: valueOf('constituency'),
  lsoa: valueOf('lsoa'),
  msoa: valueOf('msoa'),
  policeForce: valueOf('policeForce'),
  icb: valueOf('icb'),
});

const percentages = z.object({ coordinates: z.number(), ...byNameColumn(() => z.number()) });

export const directoryInfo = z.object({
  /**
   * The year and month, such as "2025-08"; "unknown" if neither file names nor dates contain them; "sample" for the
   * sample.
   */
  edition: z.string(),
  source: z.enum(['ONSPD', 'NSPL', 'sample']),
  isSample: z.boolean(),
  rows: z.int(),
  live: z.int(),
  terminated: z.int(),
  withoutCoordinates: z.int(),
  withoutNorthernIreland: z.boolean(),
  /** When the directory was imported: ISO 8601 in UTC; null for the sample, which nobody imported. */
  importedAt: z.iso.datetime().nullable(),
  /** The percentage of rows that have a value, by column. */
  fillPercent: percentages,
  /** The year that the names of each column are from; null if it is not known, as in files of older versions. */
  vintages: z
    .object(byNameColumn(() => z.int().nullable()))
    .nullable()
    .default(null),
  /** Whether the directory has columns beyond the record's own. Files of format 2 do not have them. */
  hasDetails: z.boolean().default(false),
});

export type DirectoryInfo = Readonly<z.output<typeof directoryInfo>>;
export type FillPercent = DirectoryInfo['fillPercent'];

/** The value in a column of coordinates that means that there is none. */
export const NO_COORDINATE = -(2 ** 31);
/** Latitude and longitude are stored in millionths of a degree. */
export const UNITS_PER_DEGREE = 1_000_000;

/** Rows are numbered in 22 bits while they are sorted. An import rejects an edition with more rows. */
export const MAX_ROWS = 2 ** 22;

export type CodeArray = Uint8Array | Uint16Array | Uint32Array;

/** A column of names: each row has an index into `values`, whose first entry means no value. */
export interface NameValues {
  readonly codes: CodeArray;
  readonly values: readonly (string | null)[];
}

/** A grid of latitude and longitude. Cells are ordered from the southwest, and each lists its active rows. */
export interface Grid {
  /** The position of the southwest corner, and the size of one cell, in millionths of a degree. */
  readonly south: number;
  readonly west: number;
  readonly cellHeight: number;
  readonly cellWidth: number;
  readonly rows: number;
  readonly columns: number;
  /** For each cell, the start of its rows in `entries`; then the end of the last cell. */
  readonly starts: Uint32Array;
  /** The active rows that have coordinates, cell by cell. */
  readonly entries: Uint32Array;
}

/** The columns of an edition beyond the record's own, in the form in which they are written to a file. */
export interface DetailData {
  readonly fields: readonly DetailField[];
  /** For each field, the names to which the numbers in the rows refer; empty if the field has no names. */
  readonly names: readonly (readonly (string | null)[])[];
  /** For each field, the codes of `names`. */
  readonly codes: readonly (readonly (string | null)[])[];
  /** The codes of small areas that are not a letter with eight digits. */
  readonly otherCodes: readonly string[];
  /** The rows in the order of the directory, in large blocks. Each row has space for a checksum. */
  readonly rows: () => AsyncIterable<Buffer>;
}

/** The whole directory as packed columns with one entry per row. The rows are sorted by key. */
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
  /** For each name, its code, mostly a GSS code; null if there is no name. */
  readonly areaCodes: ByNameColumn<NameValues['values']>;
  readonly grid: Grid;
  /** For each row, the index that it had when it was added; undefined if the rows were added in order. */
  readonly order: Uint32Array | undefined;
  readonly details?: DetailData;
}
