import { cleanPostcode } from '@signpost/contract';
import {
  MAX_POSTCODE_LENGTH,
  NO_KEY,
  characterValue,
  incodeOfKey,
  keyOfCharacters,
  outcodeNumber,
  outcodeOfKey,
  outcodeText,
} from './postcode-key.js';

const WHITE_SPACE = /\s/u;
/** The pairs that people mistake for each other: each digit with the letter that looks like it. */
const LOOK_ALIKE = new Map([
  [0, characterValue('O'.charCodeAt(0))],
  [characterValue('O'.charCodeAt(0)), 0],
  [1, characterValue('I'.charCodeAt(0))],
  [characterValue('I'.charCodeAt(0)), 1],
]);

const isWhiteSpace = (text: string, index: number, code: number) =>
  code === 32 || (code >= 9 && code <= 13) || (code > 127 && WHITE_SPACE.test(text.charAt(index)));

/**
 * Reads letters and digits of either case into `characters` as values from 0 to 35, leaving white space out.
 * Answers how many there are; -1 where there is anything else or more than fits.
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
 * The key of a postcode in any case and spacing, exactly as written; NO_KEY for what cannot be a postcode. Who reads
 * many hands in the array that the characters are read into.
 */
export const keyOfText = (text: string, characters = new Uint8Array(MAX_POSTCODE_LENGTH)) =>
  keyOfCharacters(characters, readCharacters(text, characters));

/** The canonical form of a key, such as "SW1A 1AA". */
export const postcodeOfKey = (key: number) => `${outcodeText(outcodeOfKey(key))} ${incodeOfKey(key)}`;

/**
 * What `read` makes of the characters of a clean text when O and 0, I and 1 are taken for each other: of the text as it
 * was written first, then of each that may have been meant, until there is an answer.
 */
export function firstMeaning<Answer>(
  text: string,
  read: (characters: Uint8Array, length: number) => Answer | undefined,
): Answer | undefined {
  const characters = new Uint8Array(MAX_POSTCODE_LENGTH);
  const length = readCharacters(text, characters);
  if (length < 0) return undefined;
  const answer = read(characters, length);
  if (answer !== undefined) return answer;
  const written = characters.slice(0, length);
  const places = [...written.keys()].filter((place) => LOOK_ALIKE.has(written[place] ?? -1));
  for (let changes = 1; changes < 2 ** places.length; changes += 1) {
    places.forEach((place, bit) => {
      const value = written[place] ?? 0;
      characters[place] = ((changes >> bit) & 1) === 1 ? (LOOK_ALIKE.get(value) ?? value) : value;
    });
    const repaired = read(characters, length);
    if (repaired !== undefined) return repaired;
  }
  return undefined;
}

/**
 * The keys that a text can mean when dirt is taken away and slips are repaired. No two real postcodes differ in a slip
 * alone, so that at most one of them is in the directory.
 */
export function keysWithSlips(text: string): number[] {
  const keys: number[] = [];
  firstMeaning(cleanPostcode(text), (characters, length) => {
    const key = keyOfCharacters(characters, length);
    if (key !== NO_KEY) keys.push(key);
    return undefined;
  });
  return keys;
}

/** The outward code that a text is, dirt taken away and slips repaired, such as "SW1A"; undefined where it is none. */
export const outcodeOfText = (text: string): string | undefined =>
  firstMeaning(cleanPostcode(text), (characters, length) => {
    const outcode = outcodeNumber(characters, length);
    return outcode === NO_KEY ? undefined : outcodeText(outcode);
  });
