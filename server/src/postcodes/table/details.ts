import type { PlacedColumn } from './detail-columns.js';

/** The columns of a directory that are not kept in memory. They are read row by row. */
export interface Details {
  readonly columns: readonly PlacedColumn[];
  /** For each column, the names to which the numbers in the rows refer; empty if the column has no names. */
  readonly names: readonly (readonly (string | null)[])[];
  /** For each column, the codes of `names`; undefined in files of older versions. */
  readonly codes?: Details['names'] | undefined;
  /** Codes of small areas that do not consist of a letter and eight digits. */
  readonly otherCodes: readonly string[];
  /** The bytes of a row. The next call overwrites them. Throws a DirectoryFileError if the row is damaged. */
  row(row: number): DataView;
  close(): void;
}

const MONTHS = 12;

/** A month, such as 202508, as a 16-bit number; 0 means no month. */
export const packMonth = (yearMonth: number) =>
  yearMonth === 0 ? 0 : Math.trunc(yearMonth / 100) * MONTHS + (yearMonth % 100) - 1;

/** A packed month as text, such as "2025-08"; null if there isn't one. */
export const monthText = (packed: number): string | null =>
  packed === 0 ? null : `${Math.trunc(packed / MONTHS)}-${String((packed % MONTHS) + 1).padStart(2, '0')}`;

/** The value of a number in a row: null for 0, otherwise the number itself. */
export const numberOrNull = (value: number): number | null => (value === 0 ? null : value);

/** Reads a column's number from the bytes of a row. */
export const detailNumber = (bytes: DataView, { kind, offset }: PlacedColumn): number =>
  kind === 'smallArea' ? bytes.getUint32(offset, true) : bytes.getUint16(offset, true);
