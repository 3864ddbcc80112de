import {
  byNameColumn,
  type ByNameColumn,
  type CodeArray,
  type DirectoryData,
  type DirectoryInfo,
  NAME_COLUMNS,
  NAME_RUNS,
  type NameColumn,
  type NameValues,
} from './directory-data.js';
import type { Details } from './details.js';
import { packPoints, type PointGrid } from './grid.js';

/**
 * LATITUDE to NORTHING are the indexes of the words of a row that contain one coordinate each. Words with codes follow
 * them.
 */
export const LATITUDE = 0;
export const LONGITUDE = 1;
export const EASTING = 2;
export const NORTHING = 3;
const COORDINATE_WORDS = 4;
const BITS_PER_WORD = 32;

/** The bits that a column of codes takes in a row. */
export interface Field {
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
}

/** Allocates bits in words. No field crosses the end of a word. */
class BitLayout {
  readonly #used: number[] = [];

  get words(): number {
    return this.#used.length;
  }

  /** Reserves a number of bits. */
  allocate(bits: number): Field {
    const first = this.#used.findIndex((used) => used + bits <= BITS_PER_WORD);
    const word = first < 0 ? this.#used.length : first;
    const shift = this.#used[word] ?? 0;
    this.#used[word] = shift + bits;
    return { word: COORDINATE_WORDS + word, shift, mask: 2 ** bits - 1 };
  }
}

/** The number of bits for numbers below `count`. */
const bitsFor = (count: number) => BITS_PER_WORD - Math.clz32(count - 1);

/**
 * Columns whose codes are next to each other in one word, the last column lowest, so that they can be read as one
 * number.
 */
export interface FieldRun {
  readonly columns: readonly NameColumn[];
  readonly combined: Field;
}

/**
 * The layout of the columns in a row, which depends on the number of names. Directory files store such rows: if the
 * layout for the same names changes, FORMAT_VERSION must be increased.
 */
export class RowLayout {
  readonly wordsPerRow: number;
  readonly active: Field;
  readonly names: ByNameColumn<Field>;
  /** The runs of name columns in the order of the record. */
  readonly runs: readonly FieldRun[];

  constructor(values: ByNameColumn<NameValues['values']>) {
    const layout = new BitLayout();
    const bits = byNameColumn((column) => bitsFor(values[column].length));
    const bitsOf = (columns: readonly NameColumn[]) => columns.reduce((sum, column) => sum + bits[column], 0);
    const runs = NAME_RUNS.flatMap((run): readonly (readonly NameColumn[])[] =>
      bitsOf(run) < BITS_PER_WORD ? [run] : run.map((column) => [column]),
    );
    const widestFirst = runs.toSorted((one, other) => bitsOf(other) - bitsOf(one));
    const fieldOfRun = new Map(widestFirst.map((run) => [run, layout.allocate(bitsOf(run))]));
    this.active = layout.allocate(1);
    this.runs = runs.map((columns) => ({
      columns,
      combined: fieldOfRun.get(columns) ?? layout.allocate(bitsOf(columns)),
    }));
    this.names = byNameColumn((column) => {
      const run = this.runs.find(({ columns }) => columns.includes(column));
      const after = run?.columns.slice(run.columns.indexOf(column) + 1) ?? [];
      const { word, shift } = run?.combined ?? this.active;
      return { word, shift: shift + bitsOf(after), mask: 2 ** bits[column] - 1 };
    });
    this.wordsPerRow = COORDINATE_WORDS + layout.words;
  }
}

/**
 * The data of a directory row by row. Requested rows can be anywhere in memory, so the columns of a row are next to
 * each other.
 */
export class PackedRows extends RowLayout {
  readonly words: Int32Array<ArrayBuffer>;

  constructor(
    readonly length: number,
    values: ByNameColumn<NameValues['values']>,
  ) {
    super(values);
    this.words = new Int32Array(length * this.wordsPerRow);
  }

  setCoordinates(word: number, values: Int32Array): void {
    const { words, wordsPerRow } = this;
    for (let row = 0; row < values.length; row += 1) words[row * wordsPerRow + word] = values[row] ?? 0;
  }

  /** Sets the codes of a column. Call it once per column, because it only sets bits and clears none. */
  setCodes({ word, shift, mask }: Field, codes: CodeArray): void {
    const { words, wordsPerRow } = this;
    for (let row = 0; row < codes.length; row += 1) {
      const index = row * wordsPerRow + word;
      words[index] = (words[index] ?? 0) | (((codes[row] ?? 0) & mask) << shift);
    }
  }

  coordinate(row: number, word: number): number {
    return this.words[row * this.wordsPerRow + word] ?? 0;
  }

  code(row: number, { word, shift, mask }: Field): number {
    return ((this.words[row * this.wordsPerRow + word] ?? 0) >>> shift) & mask;
  }

  isActive(row: number): boolean {
    return this.code(row, this.active) === 1;
  }
}

/** A whole directory in the layout that lookups use, with rows sorted by key. */
export interface PackedDirectory {
  readonly info: DirectoryInfo;
  readonly keys: Uint32Array;
  readonly rows: PackedRows;
  /** The names to which codes refer, by column. */
  readonly values: ByNameColumn<NameValues['values']>;
  /** The codes of the names; undefined if the file's format has no codes. */
  readonly areaCodes?: ByNameColumn<NameValues['values']> | undefined;
  readonly grid: PointGrid;
  /** The columns beyond the record's own; undefined if there are none. */
  readonly details?: Details | undefined;
}

export const valuesOf = ({ names }: DirectoryData): PackedDirectory['values'] =>
  byNameColumn((column) => names[column].values);

/** Packs rows from `from` up to, but not including, `to`. */
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

/** Packs a directory into the layout that lookups use. The result has no details. */
export function packDirectory(data: DirectoryData): PackedDirectory {
  const { entries, ...grid } = data.grid;
  const { info, keys, areaCodes } = data;
  return {
    areaCodes,
    info,
    keys,
    rows: packRows(data),
    values: valuesOf(data),
    grid: { ...grid, points: packPoints(data, entries) },
  };
}
