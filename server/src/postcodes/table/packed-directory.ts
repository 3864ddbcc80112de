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

/** The words of a row that each hold one coordinate; codes come after them. */
export const LATITUDE = 0;
export const LONGITUDE = 1;
export const EASTING = 2;
export const NORTHING = 3;
const COORDINATE_WORDS = 4;
const BITS_PER_WORD = 32;

/** Where in a row the bits of a column of codes lie. */
export interface Field {
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
}

/** Gives out bits of words, each field within one word. */
class BitLayout {
  readonly #used: number[] = [];

  get words(): number {
    return this.#used.length;
  }

  /** Room for numbers of so many bits. */
  place(bits: number): Field {
    const first = this.#used.findIndex((used) => used + bits <= BITS_PER_WORD);
    const word = first < 0 ? this.#used.length : first;
    const shift = this.#used[word] ?? 0;
    this.#used[word] = shift + bits;
    return { word: COORDINATE_WORDS + word, shift, mask: 2 ** bits - 1 };
  }
}

/** How many bits the numbers below `count` take. */
const bitsFor = (count: number) => BITS_PER_WORD - Math.clz32(count - 1);

/** Columns whose codes lie side by side in one word, the last lowest, and can be read as one number. */
export interface FieldRun {
  readonly columns: readonly NameColumn[];
  readonly whole: Field;
}

/**
 * Where in a row its columns lie, as the names that there are want it. Directory files hold such rows: where another
 * layout comes of the same names, FORMAT_VERSION has to rise.
 */
export class RowLayout {
  readonly wordsPerRow: number;
  readonly active: Field;
  readonly names: ByNameColumn<Field>;
  /** The columns of names in the order of the record. */
  readonly runs: readonly FieldRun[];

  constructor(values: ByNameColumn<NameValues['values']>) {
    const layout = new BitLayout();
    const bits = byNameColumn((column) => bitsFor(values[column].length));
    const bitsOf = (columns: readonly NameColumn[]) => columns.reduce((sum, column) => sum + bits[column], 0);
    const runs = NAME_RUNS.flatMap((run): readonly (readonly NameColumn[])[] =>
      bitsOf(run) < BITS_PER_WORD ? [run] : run.map((column) => [column]),
    );
    const widestFirst = runs.toSorted((one, other) => bitsOf(other) - bitsOf(one));
    const places = new Map(widestFirst.map((run) => [run, layout.place(bitsOf(run))]));
    this.active = layout.place(1);
    this.runs = runs.map((columns) => ({
      columns,
      whole: places.get(columns) ?? layout.place(bitsOf(columns)),
    }));
    this.names = byNameColumn((column) => {
      const run = this.runs.find(({ columns }) => columns.includes(column));
      const after = run?.columns.slice(run.columns.indexOf(column) + 1) ?? [];
      const { word, shift } = run?.whole ?? this.active;
      return { word, shift: shift + bitsOf(after), mask: 2 ** bits[column] - 1 };
    });
    this.wordsPerRow = COORDINATE_WORDS + layout.words;
  }
}

/**
 * What records say of the rows of a directory, row after row. Rows that are asked for lie anywhere in it: memory is
 * then waited for once, and not once for each column.
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

  /** Sets the codes of a column; once for each column, as bits are only added. */
  setCodes({ word, shift, mask }: Field, codes: CodeArray): void {
    const { words, wordsPerRow } = this;
    for (let row = 0; row < codes.length; row += 1) {
      const place = row * wordsPerRow + word;
      words[place] = (words[place] ?? 0) | (((codes[row] ?? 0) & mask) << shift);
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

/** A whole directory as lookups want it; rows are sorted by key. */
export interface PackedDirectory {
  readonly info: DirectoryInfo;
  readonly keys: Uint32Array;
  readonly rows: PackedRows;
  /** The names that codes stand for, by column. */
  readonly values: ByNameColumn<NameValues['values']>;
  /** The GSS codes beside the names; undefined where the file is of a format without them. */
  readonly areaCodes?: ByNameColumn<NameValues['values']> | undefined;
  readonly grid: PointGrid;
  /** Undefined where there are no columns beyond the record's own. */
  readonly details?: Details | undefined;
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
