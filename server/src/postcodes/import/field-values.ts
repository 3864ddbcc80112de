import { characterValue, keyOfCharacters, NO_KEY } from '../table/postcode-key.js';

const MINUS = 45;
const POINT = 46;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;
const MILLIONTHS_DIGITS = 6;
const MAX_DIGITS = 15;

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE;

/**
 * The key of the postcode in these bytes, ignoring spaces; NO_KEY if it is not a postcode. Overwrites `characters`,
 * which callers reuse.
 */
export function keyOfBytes(buffer: Buffer, start: number, end: number, characters: Uint8Array): number {
  let length = 0;
  for (let position = start; position < end; position += 1) {
    const byte = buffer[position] ?? 0;
    if (byte === SPACE) continue;
    const value = characterValue(byte);
    if (value < 0 || length === characters.length) return NO_KEY;
    characters[length] = value;
    length += 1;
  }
  return keyOfCharacters(characters, length);
}

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let position = start; position < end; position += 1) if (buffer[position] !== SPACE) return false;
  return true;
}

/** A decimal number in millionths, rounded; NaN if the bytes are not a number. */
export function millionths(buffer: Buffer, start: number, end: number): number {
  let position = start;
  const isNegative = buffer[position] === MINUS;
  if (isNegative) position += 1;
  let value = 0;
  let digits = 0;
  let decimals = -1;
  for (; position < end && decimals < MILLIONTHS_DIGITS; position += 1) {
    const byte = buffer[position] ?? 0;
    if (isDigit(byte)) {
      value = value * 10 + byte - ZERO;
      digits += 1;
      if (decimals >= 0) decimals += 1;
    } else if (byte === POINT && decimals < 0) decimals = 0;
    else return unusualMillionths(buffer, start, end);
  }
  if (digits === 0 || digits > MAX_DIGITS || position < end) return unusualMillionths(buffer, start, end);
  for (let missing = Math.max(decimals, 0); missing < MILLIONTHS_DIGITS; missing += 1) value *= 10;
  return isNegative ? 0 - value : value;
}

/**
 * Like `millionths`, for numbers that are padded, begin with a plus sign, have an exponent, or have more than six
 * decimals, as in some exports.
 */
function unusualMillionths(buffer: Buffer, start: number, end: number): number {
  const text = buffer.toString('latin1', start, end).trim();
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text);
  return isNumber ? Math.round(Number(text) * 10 ** MILLIONTHS_DIGITS) : NaN;
}

/**
 * The number 202508 for a date that begins with 2025-08 or 202508; 0 if it is blank, NaN if it does not begin with a
 * year and month.
 */
export function yearMonth(buffer: Buffer, start: number, end: number): number {
  if (isBlank(buffer, start, end)) return 0;
  let value = 0;
  let digits = 0;
  for (let position = start; position < end && digits < 6; position += 1) {
    const byte = buffer[position] ?? 0;
    if (isDigit(byte)) {
      value = value * 10 + byte - ZERO;
      digits += 1;
    } else if (byte !== MINUS && byte !== SPACE) return NaN;
  }
  const month = value % 100;
  return digits === 6 && month >= 1 && month <= 12 ? value : NaN;
}

/** Parses a whole number without a sign; 0 if the bytes are blank or anything else. */
export function wholeNumber(buffer: Buffer, start: number, end: number): number {
  let value = 0;
  for (let position = start; position < end; position += 1) {
    const byte = buffer[position] ?? 0;
    if (!isDigit(byte)) return 0;
    value = value * 10 + byte - ZERO;
  }
  return value;
}
