import { cleanPostcode } from '@signpost/contract';
import {
  INCODE_CHARACTERS,
  MAX_POSTCODE_LENGTH,
  NO_KEY,
  characterValue,
  incodeOfKey,
  isDigit,
  keyOfCharacters,
  outcodeNumber,
  outcodeOfKey,
  outcodeText,
} from './postcode-key.js';

const WHITE_SPACE = /\s/u;
/** The characters that people confuse, each with the one that looks like it: O and 0, I and 1. */
const LOOK_ALIKE = new Map([
  [0, characterValue('O'.charCodeAt(0))],
  [characterValue('O'.charCodeAt(0)), 0],
  [1, characterValue('I'.charCodeAt(0))],
  [characterValue('I'.charCodeAt(0)), 1],
]);

const isWhiteSpace = (text: string, index: number, code: number) =>
  code === 32 || (code >= 9 && code <= 13) || (code > 127 && WHITE_SPACE.test(text.charAt(index)));

/**
 * Reads the letters and digits of a text into `characters` as values from 0 to 35, ignoring case and white space.
 * Returns how many there are; -1 if the text has other characters, or more than fit.
 */
function readCharacters(text: string, characters: Uint8Array): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const value = characterValue(code);
    if (value >= 0) {
      if (length === characters.length) return -1;
      characters[length] = value;
      length += 1;
    } else if (!isWhiteSpace(text, index, code)) return -1;
  }
  return length;
}

/**
 * The positions in a text at which white space separates its letters and digits. Each is a bit: bit 2 means after two
 * characters.
 */
interface Boundaries {
  readonly all: number;
  /** Only the positions after a correctly written outward code. */
  readonly afterOutcode: number;
}

function boundariesIn(text: string, characters: Uint8Array): Boundaries {
  let all = 0;
  let afterOutcode = 0;
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (characterValue(text.charCodeAt(index)) >= 0) {
      length += 1;
      continue;
    }
    all |= 1 << length;
    if (outcodeNumber(characters, length) !== NO_KEY) afterOutcode |= 1 << length;
  }
  return { all, afterOutcode };
}

const NO_BOUNDARIES: Boundaries = { all: 0, afterOutcode: 0 };
const has = (positions: number, position: number) => ((positions >> position) & 1) === 1;

/** Whether an inward code can begin with this character: a digit, or a letter that looks like one. */
const mayBeginIncode = (value: number) => isDigit(value) || LOOK_ALIKE.has(value);

/**
 * Whether the first `split` characters can be the outward code, considering the boundaries. A boundary after the form
 * of an outward code ends the code: "E1 6" is not E16, "E1 61AA" is not E16 1AA, and "E16 AN" is not E1 6AN. A boundary
 * before `split` does not count if the next character cannot begin an inward code, as in "SW1 A1AA".
 */
function respectsBoundaries(
  characters: Uint8Array,
  length: number,
  split: number,
  { all, afterOutcode }: Boundaries,
): boolean {
  if (split < length && has(all, split)) return true;
  for (let position = 1; position < length; position += 1) {
    if (!has(all, position)) continue;
    const endsOutcode = has(afterOutcode, position) || outcodeNumber(characters, position) !== NO_KEY;
    if (endsOutcode && (position > split || mayBeginIncode(characters[position] ?? 0))) return false;
  }
  return true;
}

/**
 * The key of the characters of a text; NO_KEY if they are not a postcode, or if a boundary divides them in another
 * place.
 */
function keyWithin(characters: Uint8Array, length: number, boundaries: Boundaries): number {
  const key = keyOfCharacters(characters, length);
  if (key === NO_KEY || boundaries.all === 0) return key;
  return respectsBoundaries(characters, length, length - INCODE_CHARACTERS, boundaries) ? key : NO_KEY;
}

/** The number of an outward code; NO_KEY if the characters are not an outward code, or if a boundary divides them. */
export function outcodeWithin(characters: Uint8Array, length: number, boundaries: Boundaries): number {
  const outcode = outcodeNumber(characters, length);
  return outcode !== NO_KEY && respectsBoundaries(characters, length, length, boundaries) ? outcode : NO_KEY;
}

/**
 * The key of a postcode, whatever its case and spacing, without repairs; NO_KEY if the text cannot be a postcode.
 * Callers with many texts pass the same `characters` array to reuse it.
 */
export function keyOfText(text: string, characters = new Uint8Array(MAX_POSTCODE_LENGTH)): number {
  const length = readCharacters(text, characters);
  if (length < 0) return NO_KEY;
  return keyWithin(
    characters,
    length,
    length === text.length ? NO_BOUNDARIES : boundariesIn(text, characters),
  );
}

/** The canonical form of a key, such as "SW1A 1AA". */
export const postcodeOfKey = (key: number) => `${outcodeText(outcodeOfKey(key))} ${incodeOfKey(key)}`;

/**
 * Calls `read` with the characters of a text as written, then with each combination of swaps of O and 0, and of I and
 * 1, until it returns a result. Returns undefined without a call if the text has other characters or more than
 * MAX_POSTCODE_LENGTH. Stray characters must already be removed.
 */
function firstReading<Answer>(
  text: string,
  read: (characters: Uint8Array, length: number, boundaries: Boundaries) => Answer | undefined,
): Answer | undefined {
  const characters = new Uint8Array(MAX_POSTCODE_LENGTH);
  const length = readCharacters(text, characters);
  if (length < 0) return undefined;
  const boundaries = boundariesIn(text, characters);
  const answer = read(characters, length, boundaries);
  if (answer !== undefined) return answer;
  const written = characters.slice(0, length);
  const positions = [...written.keys()].filter((position) => LOOK_ALIKE.has(written[position] ?? -1));
  for (let changes = 1; changes < 2 ** positions.length; changes += 1) {
    positions.forEach((position, bit) => {
      const value = written[position] ?? 0;
      characters[position] = ((changes >> bit) & 1) === 1 ? (LOOK_ALIKE.get(value) ?? value) : value;
    });
    const repaired = read(characters, length, boundaries);
    if (repaired !== undefined) return repaired;
  }
  return undefined;
}

/** An L in place of the digit at the beginning of an inward code. */
const L_BEFORE_INCODE = /l(?=\s*[a-z]\s*[a-z]\s*$)/iu;

/**
 * Replaces by 1 each L that cannot be a letter: an L at the beginning of the inward code, and a small l among capitals
 * and digits. Keeps the l of "Ml", which has no digit and is rather the postcode area ML.
 */
function withOnesForL(text: string): string {
  const repaired = text.replace(L_BEFORE_INCODE, '1');
  return /[a-km-z]/u.test(repaired) || !/\d/u.test(repaired) ? repaired : repaired.replaceAll('l', '1');
}

/**
 * Calls `read` with the characters of a text as written, then with each repair of typing errors, until it returns a
 * result. The repairs swap O and 0, or I and 1, and then also replace L by 1. Stray characters must already be removed.
 */
export function firstRepairedReading<Answer>(
  text: string,
  read: (characters: Uint8Array, length: number, boundaries: Boundaries) => Answer | undefined,
): Answer | undefined {
  const answer = firstReading(text, read);
  if (answer !== undefined || !/l/iu.test(text)) return answer;
  const repaired = withOnesForL(text);
  return repaired === text ? undefined : firstReading(repaired, read);
}

/** The keys that a text can mean after removing stray characters and repairing typing errors. */
export function possibleKeys(text: string): number[] {
  const keys: number[] = [];
  firstRepairedReading(cleanPostcode(text), (characters, length, boundaries) => {
    const key = keyWithin(characters, length, boundaries);
    if (key !== NO_KEY) keys.push(key);
    return undefined;
  });
  return keys;
}

/** An outward code followed by the beginning of an inward one. */
export interface PostcodeBeginning {
  readonly outcode: string;
  /** The text, such as "E1 6", which is a sector, or "E1 6A". */
  readonly text: string;
  readonly isSector: boolean;
}

/**
 * Reads an outward code, a space or hyphen, and the beginning of an inward code: first as written, then with typing
 * errors repaired. Empty for any other text.
 */
export function beginningsOfText(text: string): PostcodeBeginning[] {
  const words = cleanPostcode(text).trim().toUpperCase().split(/\s+/u);
  const inward = (words.at(-1) ?? '').replace(/^O/u, '0').replace(/^[IL]/u, '1');
  if (words.length === 1 || !/^\d[A-Z]?$/u.test(inward)) return [];
  return possibleOutcodes(words.slice(0, -1).join('')).map((outcode) => ({
    outcode,
    text: `${outcode} ${inward}`,
    isSector: inward.length === 1,
  }));
}

/** The outward codes that a text can mean, first as written, then with typing errors repaired. */
export function possibleOutcodes(text: string): string[] {
  const outcodes: string[] = [];
  firstRepairedReading(cleanPostcode(text), (characters, length, boundaries) => {
    const outcode = outcodeWithin(characters, length, boundaries);
    if (outcode !== NO_KEY) outcodes.push(outcodeText(outcode));
    return undefined;
  });
  return outcodes;
}
