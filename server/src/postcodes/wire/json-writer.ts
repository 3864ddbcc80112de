import { NO_COORDINATE, UNITS_PER_DEGREE } from '../table/directory-data.js';

/** How many bytes beyond the end of a text a copy may read or write. */
const OVERSHOOT_BYTES = 8;
/** The initial size of a pool. */
const FIRST_BYTES = 64 * 1024;

/** The start and end of a text in a pool. */
export interface Fragment {
  readonly start: number;
  readonly end: number;
}

/** The size of the longest text in bytes of UTF-8. */
export const maxBytes = (texts: readonly string[]) =>
  texts.reduce((max, text) => Math.max(max, Buffer.byteLength(text)), 0);

/** Texts stored as UTF-8 one after the other, ready to be copied. */
export class FragmentPool {
  #bytes = Buffer.alloc(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** The bytes of all texts, then unused bytes. Read it again after `add`, which may replace it by a larger one. */
  get bytes(): DataView {
    return this.#view;
  }

  add(text: string): Fragment {
    const start = this.#length;
    const needed = start + Buffer.byteLength(text) + OVERSHOOT_BYTES;
    if (needed > this.#bytes.length) {
      const grown = Buffer.alloc(2 * needed);
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#length += this.#bytes.write(text, start);
    return { start, end: this.#length };
  }

  /** Adds texts. Returns the start of each, then the end of the last. */
  addAll(texts: readonly string[]): Uint32Array {
    const starts = new Uint32Array(texts.length + 1);
    texts.forEach((text, index) => (starts[index] = this.add(text).start));
    starts[texts.length] = this.#length;
    return starts;
  }
}

const WORD_BYTES = 4;
const COPIED_BYTES = 8;
const THOUSAND = 1_000;
/**
 * Numbers below this are written as one word, because they have at most four digits. The whole degrees of any 32-bit
 * coordinate are below it.
 */
const WORD_NUMBERS = 2_148;
const QUOTE = 34;
const ZERO = 48;
const POINT = 46;
const MINUS = 45;
const NULL = wordOf('null');

/** Packs up to four characters into one number, with the characters as its bytes. */
export function wordOf(text: string): number {
  const bytes = Buffer.alloc(WORD_BYTES);
  bytes.write(text, 'latin1');
  return bytes.readInt32LE();
}

const wholeNumbers = Int32Array.from({ length: WORD_NUMBERS }, (_, number) => wordOf(String(number)));
const threeDigits = Int32Array.from({ length: THOUSAND }, (_, number) =>
  wordOf(String(number).padStart(3, '0')),
);
/** For each number from 000 to 999, how many of its three digits remain without trailing zeros. */
const significantDigits = Uint8Array.from(
  { length: THOUSAND },
  (_, number) => String(number).padStart(3, '0').replace(/0+$/u, '').length,
);

/** The integer part of a quotient below 2 ** 31. Written like this, the engine compiles it to an integer division. */
const quotient = (dividend: number, divisor: number) => (dividend / divisor) | 0;
const digitsOf = (number: number) => (number < 10 ? 1 : number < 100 ? 2 : number < THOUSAND ? 3 : 4);

/**
 * Builds JSON from prepared texts and digits in a buffer that it reuses, which is faster than joining strings (`npm run
 * bench -- --only wire`). Some methods write four or eight bytes at once; the next write overwrites the surplus bytes.
 * `reserve` must first make space for everything but `text`; it adds space for surplus bytes at the end.
 */
export class JsonWriter {
  #bytes = Buffer.alloc(0);
  #view = new DataView(new ArrayBuffer(0));
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  /** Makes space for this many more bytes. */
  reserve(bytes: number): void {
    const needed = this.#length + bytes + OVERSHOOT_BYTES;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.alloc(needed);
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer, grown.byteOffset, grown.length);
  }

  /** Writes a character that takes one byte. */
  character(code: number): void {
    this.#bytes[this.#length] = code;
    this.#length += 1;
  }

  /** Writes a text of characters that take one byte each. */
  ascii(text: string): void {
    for (let index = 0; index < text.length; index += 1) this.character(text.charCodeAt(index));
  }

  /** Writes a code of a letter and eight digits, in quotes. */
  areaCode(letter: number, digits: number): void {
    const thousands = quotient(digits, THOUSAND);
    const millions = quotient(thousands, THOUSAND);
    this.character(QUOTE);
    this.character(letter);
    this.character(ZERO + quotient(millions, 10));
    this.character(ZERO + (millions % 10));
    this.#word(threeDigits[thousands - millions * THOUSAND] ?? 0, 3);
    this.#word(threeDigits[digits - thousands * THOUSAND] ?? 0, 3);
    this.character(QUOTE);
  }

  /**
   * Copies a text from a pool. The bytes are copied as float64, which is safe: a copy could change the bytes of a NaN,
   * but UTF-8 never contains them.
   */
  append(pool: FragmentPool, start: number, end: number): void {
    const from = pool.bytes;
    const to = this.#view;
    const offset = this.#length - start;
    for (let index = start; index < end; index += COPIED_BYTES) {
      to.setFloat64(offset + index, from.getFloat64(index, true), true);
    }
    this.#length += end - start;
  }

  appendFragment(pool: FragmentPool, { start, end }: Fragment): void {
    this.append(pool, start, end);
  }

  /** Writes any text. Calls `reserve` itself, which leaves space for OVERSHOOT_BYTES after the text. */
  text(text: string): void {
    this.reserve(Buffer.byteLength(text));
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Overwrites four bytes that start this many bytes before the end. */
  patch(bytesBefore: number, word: number): void {
    this.#view.setInt32(this.#length - bytesBefore, word, true);
  }

  /**
   * Writes a latitude or longitude, as stored in its column, as a JSON number of degrees, such as -0.141563; null for
   * NO_COORDINATE.
   */
  degrees(units: number): void {
    if (units === NO_COORDINATE) {
      this.#word(NULL, WORD_BYTES);
      return;
    }
    if (units < 0) this.character(MINUS);
    const size = units < 0 ? -units : units;
    const whole = quotient(size, UNITS_PER_DEGREE);
    this.#word(wholeNumbers[whole] ?? 0, digitsOf(whole));
    const rest = size - whole * UNITS_PER_DEGREE;
    if (rest === 0) return;
    this.character(POINT);
    const thousands = quotient(rest, THOUSAND);
    const last = rest - thousands * THOUSAND;
    this.#word(threeDigits[thousands] ?? 0, last === 0 ? (significantDigits[thousands] ?? 0) : 3);
    this.#word(threeDigits[last] ?? 0, significantDigits[last] ?? 0);
  }

  /** Writes an easting or northing, as stored in its column, as JSON in metres; null for NO_COORDINATE. */
  metres(metres: number): void {
    if (metres === NO_COORDINATE) this.#word(NULL, WORD_BYTES);
    else this.integer(metres);
  }

  /** Writes a non-negative number, given in tenths, as JSON with at most one decimal. */
  tenths(tenths: number): void {
    const whole = quotient(tenths, 10);
    this.integer(whole);
    const decimal = tenths - whole * 10;
    if (decimal === 0) return;
    this.character(POINT);
    this.character(ZERO + decimal);
  }

  /** Writes a whole number. */
  integer(value: number): void {
    const thousands = quotient(value, THOUSAND);
    if (value < 0 || thousands >= WORD_NUMBERS) {
      for (const digit of String(value)) this.character(digit.charCodeAt(0));
      return;
    }
    if (thousands === 0) {
      this.#word(wholeNumbers[value] ?? 0, digitsOf(value));
      return;
    }
    this.#word(wholeNumbers[thousands] ?? 0, digitsOf(thousands));
    this.#word(threeDigits[value - thousands * THOUSAND] ?? 0, 3);
  }

  /** A copy of all written bytes. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  #word(word: number, characters: number) {
    this.#view.setInt32(this.#length, word, true);
    this.#length += characters;
  }
}
