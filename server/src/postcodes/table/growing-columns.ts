import { type CodeArray, NO_COORDINATE } from './directory-data.js';

const ZERO = 48;
const NINE = 57;
const SPACE = 32;
/** A code of the Government Statistical Service (GSS) is a letter and this many digits, such as "E09000033". */
const GSS_DIGITS = 8;
/** Codes that mean "none" end in these digits: E99999999, and E63999999 for no built-up area. */
const PSEUDO_DIGITS = 999_999;
const PSEUDO_RANGE = 1_000_000;
const DIGITS_RANGE = 100_000_000;
const MAX_CODE_LENGTH = 12;
/** The maximum number of 7-bit characters that fit exactly into a number. */
const MAX_PACKED_LENGTH = 7;

const isAlphanumeric = (byte: number) =>
  (byte >= ZERO && byte <= NINE) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);

/** Numbers the distinct codes of one column in the order of their first use; 0 means no value. */
export class CodeColumn {
  readonly #gss = new Map<number, number>();
  readonly #short = new Map<number, number>();
  readonly #others = new Map<string, number>();
  readonly #codes: (string | null)[] = [null];
  /** The last code is remembered, because neighbouring rows mostly have the same one. */
  #lastLetter = 0;
  #lastDigits = -1;
  #lastNumber = 0;

  /** The codes by number; the first entry, for no value, is null. */
  get codes(): readonly (string | null)[] {
    return this.#codes;
  }

  /**
   * The number of the code in these bytes: 0 for a blank or for a code that means "none", -1 if it cannot be a code.
   */
  numberOf(buffer: Buffer, start: number, end: number): number {
    let from = start;
    let to = end;
    while (from < to && buffer[from] === SPACE) from += 1;
    while (to > from && buffer[to - 1] === SPACE) to -= 1;
    if (from === to) return 0;
    const digits = to - from === GSS_DIGITS + 1 ? gssDigits(buffer, from) : -1;
    if (digits < 0) return this.#numberOfOtherCode(buffer, from, to);
    if (isPseudo(digits)) return 0;
    const letter = buffer[from] ?? 0;
    if (digits !== this.#lastDigits || letter !== this.#lastLetter) {
      this.#lastNumber = this.#numberIn(this.#gss, letter * DIGITS_RANGE + digits, buffer, from, to);
      this.#lastDigits = digits;
      this.#lastLetter = letter;
    }
    return this.#lastNumber;
  }

  /** The number of a code that needs no check; 0 for null, which means no value. */
  numberOfText(text: string | null): number {
    if (text === null) return 0;
    const known = this.#others.get(text);
    if (known !== undefined) return known;
    const number = this.#append(text);
    this.#others.set(text, number);
    return number;
  }

  #numberOfOtherCode(buffer: Buffer, from: number, to: number): number {
    if (to - from > MAX_CODE_LENGTH) return -1;
    let packed = 0;
    for (let index = from; index < to; index += 1) {
      const byte = buffer[index] ?? 0;
      if (!isAlphanumeric(byte)) return -1;
      packed = packed * 128 + byte;
    }
    if (to - from > MAX_PACKED_LENGTH) return this.numberOfText(buffer.toString('latin1', from, to));
    return this.#numberIn(this.#short, packed, buffer, from, to);
  }

  #numberIn(numbers: Map<number, number>, packed: number, buffer: Buffer, from: number, to: number): number {
    let number = numbers.get(packed);
    if (number === undefined) {
      number = this.#append(buffer.toString('latin1', from, to));
      numbers.set(packed, number);
    }
    return number;
  }

  #append(code: string): number {
    this.#codes.push(code);
    return this.#codes.length - 1;
  }
}

/** Whether the digits of a code mean that there is no area. */
export const isPseudo = (digits: number) => digits % PSEUDO_RANGE === PSEUDO_DIGITS;

/** The eight digits, as a number, of a code of a capital letter and eight digits; -1 if the bytes are anything else. */
export function gssDigits(buffer: Buffer, from: number): number {
  const letter = buffer[from] ?? 0;
  if (letter < 65 || letter > 90) return -1;
  let digits = 0;
  for (let index = from + 1; index <= from + GSS_DIGITS; index += 1) {
    const byte = buffer[index] ?? 0;
    if (byte < ZERO || byte > NINE) return -1;
    digits = digits * 10 + byte - ZERO;
  }
  return digits;
}

const ROWS_PER_BATCH = 65_536;

type Values = CodeArray | Int32Array;

/** The narrowest array type that holds numbers below `count`. */
const codeArray = (count: number, length: number): CodeArray => {
  if (count <= 2 ** 8) return new Uint8Array(length);
  return count <= 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
};

/** A column that grows in blocks, so that it is not copied while it grows. */
abstract class GrowingColumn<Whole extends Values> {
  #batches: Values[] = [];

  constructor(readonly staged: Uint32Array | Int32Array) {}

  /** Sets the value of a row. Rows must be set in order. */
  set(row: number, value: number): void {
    const index = row % ROWS_PER_BATCH;
    this.staged[index] = value;
    this.noteValue(value);
    if (index === ROWS_PER_BATCH - 1) this.#storeBatch(ROWS_PER_BATCH);
  }

  /** Returns all values at once, in `order` if given, and empties the column. */
  take(rows: number, order: Uint32Array | undefined): Whole {
    this.#storeBatch(rows % ROWS_PER_BATCH);
    const allValues = this.array(rows);
    let from = 0;
    for (const part of this.#batches) {
      allValues.set(part, from);
      from += part.length;
    }
    this.#batches = [];
    if (order === undefined) return allValues;
    const ordered = this.array(order.length);
    for (let row = 0; row < order.length; row += 1)
      ordered[row] = allValues[order[row] ?? 0] ?? NO_COORDINATE;
    return ordered;
  }

  #storeBatch(rows: number) {
    if (rows === 0) return;
    const part = this.array(rows);
    part.set(this.staged.subarray(0, rows));
    this.#batches.push(part);
  }

  protected abstract array(length: number): Whole;
  protected abstract noteValue(value: number): void;
}

/** A growing column of numbers from 0, stored in the narrowest array that holds them. */
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
    // Nothing to do: all integers have the same size.
  }

  protected array(length: number): Int32Array {
    return new Int32Array(length);
  }
}
