import { type JsonWriter, maxBytes, type FragmentPool } from './json-writer.js';
import type { Field, FieldRun, PackedDirectory, PackedRows } from '../table/packed-directory.js';

const MIN_SLOTS = 4_096;
const NO_COMBINATION = -1;

/** A column of names with its texts by code. */
interface Column {
  readonly field: Field;
  readonly texts: readonly string[];
}

/** A column of names: where its texts, such as `,"country":"Wales"`, begin by code. */
interface ColumnFragments {
  readonly field: Field;
  readonly starts: Uint32Array;
}

const slotsFor = (values: number) => 2 ** (32 - Math.clz32(Math.max(values, MIN_SLOTS) - 1));

/**
 * Writes the names of a run of columns, as one text where it can: the text of the combination of codes that came first
 * in the slot of its lowest bits, which for nearly all rows is theirs.
 */
export class NameFragments {
  /** The most bytes that the run can take. */
  readonly maxBytes: number;
  readonly #rows: PackedRows;
  readonly #pool: FragmentPool;
  readonly #whole: Field;
  readonly #apart: readonly ColumnFragments[];
  readonly #combinations: Int32Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(pool: FragmentPool, rows: PackedRows, run: FieldRun, values: PackedDirectory['values']) {
    this.#rows = rows;
    this.#pool = pool;
    this.#whole = run.whole;
    const columns = run.columns.map((column) => ({
      field: rows.names[column],
      texts: values[column].map((value) => `,"${column}":${JSON.stringify(value)}`),
    }));
    this.#apart = columns.map((column) => ({ field: column.field, starts: pool.addAll(column.texts) }));
    this.maxBytes = columns.reduce((sum, column) => sum + maxBytes(column.texts), 0);
    const slots = slotsFor(columns.at(-1)?.texts.length ?? 0);
    this.#combinations = new Int32Array(slots).fill(NO_COMBINATION);
    this.#starts = new Uint32Array(slots);
    this.#ends = new Uint32Array(slots);
    const [first] = this.#apart;
    if (this.#apart.length === 1 && first !== undefined) this.#takeCodes(first.starts);
    else this.#takeCombinations(columns);
  }

  write(out: JsonWriter, row: number): void {
    const combination = this.#rows.code(row, this.#whole);
    const slot = combination & (this.#combinations.length - 1);
    if (this.#combinations[slot] === combination) {
      out.append(this.#pool, this.#starts[slot] ?? 0, this.#ends[slot] ?? 0);
      return;
    }
    for (const { field, starts } of this.#apart) {
      const code = this.#rows.code(row, field);
      out.append(this.#pool, starts[code] ?? 0, starts[code + 1] ?? 0);
    }
  }

  /** The codes of a single column: the texts are those of its values. */
  #takeCodes(starts: Uint32Array) {
    for (let code = 0; code + 1 < starts.length; code += 1) {
      this.#combinations[code] = code;
      this.#starts[code] = starts[code] ?? 0;
      this.#ends[code] = starts[code + 1] ?? 0;
    }
  }

  #takeCombinations(columns: readonly Column[]) {
    const rows = this.#rows;
    for (let row = 0; row < rows.length; row += 1) {
      const combination = rows.code(row, this.#whole);
      const slot = combination & (this.#combinations.length - 1);
      if (this.#combinations[slot] !== NO_COMBINATION) continue;
      const text = columns.reduce((all, { field, texts }) => all + (texts[rows.code(row, field)] ?? ''), '');
      const { start, end } = this.#pool.add(text);
      this.#combinations[slot] = combination;
      this.#starts[slot] = start;
      this.#ends[slot] = end;
    }
  }
}
