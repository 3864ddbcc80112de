import { NO_COORDINATE, type CodeArray } from './directory-data.js';

const ROWS_PER_BATCH = 65_536;

type Values = CodeArray | Int32Array;

/** The narrowest array type that holds numbers below `count`. */
const codeArray = (count: number, length: number): CodeArray => {
  if (count <= 2 ** 8) return new Uint8Array(length);
  return count <= 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
};

/** A column that grows batch by batch, so that it is never copied until it is whole. */
abstract class GrowingColumn<Whole extends Values> {
  #kept: Values[] = [];

  constructor(readonly staged: Uint32Array | Int32Array) {}

  /** Sets the value of a row; rows come in order, and each before the next. */
  set(row: number, value: number): void {
    const place = row % ROWS_PER_BATCH;
    this.staged[place] = value;
    this.noteValue(value);
    if (place === ROWS_PER_BATCH - 1) this.#keep(ROWS_PER_BATCH);
  }

  /** All values at once, in the order of `order` where it is given; the column is empty afterwards. */
  take(rows: number, order: Uint32Array | undefined): Whole {
    this.#keep(rows % ROWS_PER_BATCH);
    const whole = this.array(rows);
    let from = 0;
    for (const part of this.#kept) {
      whole.set(part, from);
      from += part.length;
    }
    this.#kept = [];
    if (order === undefined) return whole;
    const ordered = this.array(order.length);
    for (let row = 0; row < order.length; row += 1) ordered[row] = whole[order[row] ?? 0] ?? NO_COORDINATE;
    return ordered;
  }

  #keep(rows: number) {
    if (rows === 0) return;
    const part = this.array(rows);
    part.set(this.staged.subarray(0, rows));
    this.#kept.push(part);
  }

  protected abstract array(length: number): Whole;
  protected abstract noteValue(value: number): void;
}

/** A growing column of numbers from 0, kept in the narrowest array that holds them. */
export class CodeRows extends GrowingColumn<CodeArray> {
  #greatest = 0;

  constructor() {
    super(new Uint32Array(ROWS_PER_BATCH));
  }

  protected noteValue(value: number): void {
    if (value > this.#greatest) this.#greatest = value;
  }

  protected array(length: number): CodeArray {
    return codeArray(this.#greatest + 1, length);
  }
}

/** A growing column of integers of either sign. */
export class IntegerRows extends GrowingColumn<Int32Array> {
  constructor() {
    super(new Int32Array(ROWS_PER_BATCH));
  }

  protected noteValue(): void {
    // Every integer takes the same room.
  }

  protected array(length: number): Int32Array {
    return new Int32Array(length);
  }
}
