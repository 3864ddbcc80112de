import { characterValue, keyOfCharacters, NO_KEY } from '../table/postcode-key.js';

const QUOTE = 34;
const COMMA = 44;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const MAX_COLUMNS = 256;
/** Many times the longest row of any edition. */
const MAX_LINE_BYTES = 64 * 1024;

/** The bytes of one line and where its fields lie in them, quotes left out; valid until the next line. */
export interface CsvLine {
  buffer: Buffer;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  count: number;
  /** From 1. */
  number: number;
}

export type LineFault = 'too long' | 'broken quote' | 'too many columns';

/**
 * Cuts a stream of bytes into lines and those into fields, without making a string of any of it.
 * A field may be quoted and then hold commas, but no line break: no directory has one.
 */
export class CsvLines {
  readonly line: CsvLine = {
    buffer: Buffer.alloc(0),
    starts: new Int32Array(MAX_COLUMNS),
    ends: new Int32Array(MAX_COLUMNS),
    count: 0,
    number: 0,
  };
  readonly #onLine: (line: CsvLine) => void;
  readonly #onFault: (fault: LineFault, line: CsvLine) => never;
  /** The unfinished line, and room for what comes after it. */
  #work = Buffer.alloc(2 * MAX_LINE_BYTES);
  #rest = 0;

  /** `onFault` must throw. Blank lines are counted and left out. */
  constructor(onLine: (line: CsvLine) => void, onFault: (fault: LineFault, line: CsvLine) => never) {
    this.#onLine = onLine;
    this.#onFault = onFault;
  }

  write(chunk: Buffer): void {
    const length = this.#rest + chunk.length;
    if (length > this.#work.length) {
      const larger = Buffer.alloc(2 * length);
      this.#work.copy(larger, 0, 0, this.#rest);
      this.#work = larger;
    }
    chunk.copy(this.#work, this.#rest);
    const bytes = this.#work.subarray(0, length);
    let from = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, from);
      if (end < 0) break;
      this.#cut(bytes, from, end);
      from = end + 1;
    }
    this.#rest = bytes.copy(this.#work, 0, from);
    if (this.#rest > MAX_LINE_BYTES) {
      this.line.number += 1;
      this.#onFault('too long', this.line);
    }
  }

  /** What follows the last line break is a line too. */
  end(): void {
    if (this.#rest > 0) this.#cut(this.#work, 0, this.#rest);
    this.#rest = 0;
  }

  #cut(buffer: Buffer, from: number, newline: number) {
    const { line } = this;
    line.number += 1;
    const end = newline > from && buffer[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline;
    if (end === from) return;
    line.buffer = buffer;
    line.count = 0;
    let place = from;
    for (;;) {
      if (line.count === MAX_COLUMNS) this.#onFault('too many columns', line);
      const isQuoted = place < end && buffer[place] === QUOTE;
      const start = isQuoted ? place + 1 : place;
      const fieldEnd = isQuoted ? closingQuote(buffer, start, end) : comma(buffer, start, end);
      const next = isQuoted ? fieldEnd + 1 : fieldEnd;
      line.starts[line.count] = start;
      line.ends[line.count] = fieldEnd;
      line.count += 1;
      if (fieldEnd < 0 || (next < end && buffer[next] !== COMMA)) this.#onFault('broken quote', line);
      if (next >= end) break;
      place = next + 1;
    }
    this.#onLine(line);
  }
}

function comma(buffer: Buffer, from: number, end: number): number {
  let place = from;
  while (place < end && buffer[place] !== COMMA) place += 1;
  return place;
}

/** Where a quoted field ends, doubled quotes inside it aside; -1 where it does not. */
function closingQuote(buffer: Buffer, from: number, end: number): number {
  let place = from;
  while (place < end) {
    if (buffer[place] === QUOTE) {
      if (place + 1 < end && buffer[place + 1] === QUOTE) place += 1;
      else return place;
    }
    place += 1;
  }
  return -1;
}

const MINUS = 45;
const POINT = 46;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;
const MAX_POSTCODE_LENGTH = 7;
const MILLIONTHS_DIGITS = 6;
const MAX_DIGITS = 15;

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE;
const postcode = new Uint8Array(MAX_POSTCODE_LENGTH);

/** The key of the postcode in these bytes, spaces left out; NO_KEY where it is none. */
export function keyOfBytes(buffer: Buffer, start: number, end: number): number {
  let length = 0;
  for (let place = start; place < end; place += 1) {
    const byte = buffer[place] ?? 0;
    if (byte === SPACE) continue;
    const value = characterValue(byte);
    if (value < 0 || length === MAX_POSTCODE_LENGTH) return NO_KEY;
    postcode[length] = value;
    length += 1;
  }
  return keyOfCharacters(postcode, length);
}

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let place = start; place < end; place += 1) if (buffer[place] !== SPACE) return false;
  return true;
}

/** A decimal number as millionths, rounded; NaN where the bytes are no number. */
export function millionths(buffer: Buffer, start: number, end: number): number {
  let place = start;
  const isNegative = buffer[place] === MINUS;
  if (isNegative) place += 1;
  let value = 0;
  let digits = 0;
  let decimals = -1;
  for (; place < end && decimals < MILLIONTHS_DIGITS; place += 1) {
    const byte = buffer[place] ?? 0;
    if (isDigit(byte)) {
      value = value * 10 + byte - ZERO;
      digits += 1;
      if (decimals >= 0) decimals += 1;
    } else if (byte === POINT && decimals < 0) decimals = 0;
    else return unusualMillionths(buffer, start, end);
  }
  if (digits === 0 || digits > MAX_DIGITS || place < end) return unusualMillionths(buffer, start, end);
  for (let missing = Math.max(decimals, 0); missing < MILLIONTHS_DIGITS; missing += 1) value *= 10;
  return isNegative ? 0 - value : value;
}

/** Padded, with more decimals or with an exponent, as some exports write small numbers. */
function unusualMillionths(buffer: Buffer, start: number, end: number): number {
  const text = buffer.toString('latin1', start, end).trim();
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text);
  return isNumber ? Math.round(Number(text) * 10 ** MILLIONTHS_DIGITS) : NaN;
}

/** Year and month, such as 202508, of a date that begins with them; 0 for a blank, NaN for anything else. */
export function yearMonth(buffer: Buffer, start: number, end: number): number {
  if (isBlank(buffer, start, end)) return 0;
  let value = 0;
  let digits = 0;
  for (let place = start; place < end && digits < 6; place += 1) {
    const byte = buffer[place] ?? 0;
    if (isDigit(byte)) {
      value = value * 10 + byte - ZERO;
      digits += 1;
    } else if (byte !== MINUS && byte !== SPACE) return NaN;
  }
  const month = value % 100;
  return digits === 6 && month >= 1 && month <= 12 ? value : NaN;
}
