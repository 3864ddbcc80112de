import {
  NO_KEY,
  characterValue,
  incodeOfKey,
  keyOfCharacters,
  outcodeOfKey,
  outcodeText,
} from './postcode-key.js';

const LONGEST = 7;
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
export function readCharacters(text: string, characters: Uint8Array): number {
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

const scratch = new Uint8Array(LONGEST);

/** The key of a postcode in any case and spacing, exactly as written; NO_KEY for what cannot be a postcode. */
export const keyOfText = (text: string) => keyOfCharacters(scratch, readCharacters(text, scratch));

/** The canonical form of a key, such as "SW1A 1AA". */
export const postcodeOfKey = (key: number) => `${outcodeText(outcodeOfKey(key))} ${incodeOfKey(key)}`;

/** The canonical form of a postcode in any case and spacing; undefined for what cannot be one. */
export function normalisePostcode(text: string): string | undefined {
  const key = keyOfText(text);
  return key === NO_KEY ? undefined : postcodeOfKey(key);
}

/**
 * The keys that a text can mean when O and 0, I and 1 are taken for each other, fewest changes not first.
 * No two real postcodes differ in such a slip alone, so that at most one of them is in the directory.
 */
export function keysWithSlips(text: string): number[] {
  const length = readCharacters(text, scratch);
  const written = scratch.slice(0, Math.max(length, 0));
  const places = [...written.keys()].filter((place) => LOOK_ALIKE.has(written[place] ?? -1));
  const keys: number[] = [];
  for (let changes = 0; changes < 2 ** places.length; changes += 1) {
    places.forEach((place, bit) => {
      const value = written[place] ?? 0;
      scratch[place] = ((changes >> bit) & 1) === 1 ? (LOOK_ALIKE.get(value) ?? value) : value;
    });
    const key = keyOfCharacters(scratch, length);
    if (key !== NO_KEY) keys.push(key);
  }
  return keys;
}
