import { type JsonWriter, maxBytes, type FragmentPool } from './json-writer.js';
import type { Field, FieldRun, PackedDirectory, PackedRows } from '../table/packed-directory.js';

const MIN_SLOTS = 4_096;
const NO_COMBINATION = -1;

/**
 * A column of names. `starts` has the offset in the pool at which the text of each code starts, and then the end of the
 * last text. A text is, for example, `,"country":"Wales"`.
 */
interface ColumnFragments {
  readonly field: Field;
  readonly textOf: (code: number) => string;
  readonly starts: Uint32Array;
}

const slotsFor = (values: number) => 2 ** (32 - Math.clz32(Math.max(values, MIN_SLOTS) - 1));

/**
 * Writes the names of a run of columns. Caches the texts of combinations: the lowest bits of the combined codes choose
 * a slot, which keeps the combination that was requested first. Any other combination of that slot is written column by
 * column.
 */
export class NameFragments {
  /** The most bytes that one call of `write` writes. */
  readonly maxBytes: number;
  readonly #rows: PackedRows;
  readonly #pool: FragmentPool;
  readonly #combined: Field;
  readonly #columns: readonly ColumnFragments[];
  readonly #combinations: Int32Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(pool: FragmentPool, rows: PackedRows, run: FieldRun, values: PackedDirectory['values']) {
    this.#rows = rows;
    this.#pool = pool;
    this.#combined = run.combined;
    let bytes = 0;
    this.#columns = run.columns.map((column) => {
      const textOf = (code: number) => `,"${column}":${JSON.stringify(values[column][code])}`;
      const texts = values[column].map((_value, code) => textOf(code));
      bytes += maxBytes(texts);
      return { field: rows.names[column], textOf, starts: pool.addAll(texts) };
    });
    this.maxBytes = bytes;
    const slots = slotsFor(this.#columns.at(-1)?.starts.length ?? 0);
    this.#combinations = new Int32Array(slots).fill(NO_COMBINATION);
    this.#starts = new Uint32Array(slots);
    this.#ends = new Uint32Array(slots);
    const [first, second] = this.#columns;
    if (first !== undefined && second === undefined) this.#addCodes(first.starts);
  }

  write(out: JsonWriter, row: number): void {
    const combination = this.#rows.code(row, this.#combined);
    const slot = combination & (this.#combinations.length - 1);
    if (this.#combinations[slot] === NO_COMBINATION) this.#addCombination(row, combination, slot);
    if (this.#combinations[slot] === combination) {
      out.append(this.#pool, this.#starts[slot] ?? 0, this.#ends[slot] ?? 0);
      return;
    }
    for (const { field, starts } of this.#columns) {
      const code = this.#rows.code(row, field);
      out.append(this.#pool, starts[code] ?? 0, starts[code + 1] ?? 0);
    }
  }

  /** For a run of a single column, fills the slots with the texts of the column's values. */
  #addCodes(starts: Uint32Array) {
    for (let code = 0; code + 1 < starts.length; code += 1) {
      this.#combinations[code] = code;
      this.#starts[code] = starts[code] ?? 0;
      this.#ends[code] = starts[code + 1] ?? 0;
    }
  }

  #addCombination(row: number, combination: number, slot: number) {
    const text = this.#columns.map(({ field, textOf }) => textOf(this.#rows.code(row, field))).join('');
    const { start, end } = this.#pool.add(text);
    this.#combinations[slot] = combination;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
  }
}
