import type { PlacedColumn } from './detail-columns.js';

/** The columns of a directory that are not held in memory, read row by row. */
export interface Details {
  readonly columns: readonly PlacedColumn[];
  /** By the column's place: the names that the numbers of its rows stand for; empty for what are no names. */
  readonly names: readonly (readonly (string | null)[])[];
  /** The codes of small areas that are no letter with eight digits. */
  readonly otherCodes: readonly string[];
  /** The bytes of a row, which the next call writes over. */
  row(row: number): DataView;
  close(): void;
}

const MONTHS = 12;

/** A month, such as 202508, as a number of 16 bits; 0 is none. */
export const packMonth = (yearMonth: number) =>
  yearMonth === 0 ? 0 : Math.trunc(yearMonth / 100) * MONTHS + (yearMonth % 100) - 1;

/** A packed month as text, such as "2025-08"; null where there is none. */
export const monthText = (packed: number): string | null =>
  packed === 0 ? null : `${Math.trunc(packed / MONTHS)}-${String((packed % MONTHS) + 1).padStart(2, '0')}`;

/** A number of a row: 0 stands for none. */
export const numberOrNull = (value: number): number | null => (value === 0 ? null : value);

/** What a column's number in a row is in bytes. */
export const detailNumber = (bytes: DataView, { kind, offset }: PlacedColumn): number =>
  kind === 'smallArea' ? bytes.getUint32(offset, true) : bytes.getUint16(offset, true);
