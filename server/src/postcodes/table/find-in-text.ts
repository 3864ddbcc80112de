import { keyOfText } from './normalise-postcode.js';
import { characterValue, NO_KEY } from './postcode-key.js';

/** A text in the form of a postcode, from `start` up to, but not including, `end`, in UTF-16 units. */
export interface KeyInText {
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

const INCODE_CHARACTERS = 3;
const MIN_OUTCODE_CHARACTERS = 2;
const MAX_OUTCODE_CHARACTERS = 4;
const MAX_POSTCODE_CHARACTERS = MAX_OUTCODE_CHARACTERS + INCODE_CHARACTERS;
const GAP = /[\s\p{Dash}]+/uy;
const AFTER_LETTER = /(?<=[\p{L}\p{N}]\p{M}*)/uy;
const LETTER = /[\p{L}\p{N}\p{M}]/uy;

/** The end of a match that starts exactly at `place`; -1 if there isn't one. */
function endOf(pattern: RegExp, text: string, place: number): number {
  pattern.lastIndex = place;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const isLetterOrDigit = (text: string, place: number) => characterValue(text.charCodeAt(place)) >= 0;

/** The end of the ASCII letters and digits from a position on. */
function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && isLetterOrDigit(text, end)) end += 1;
  return end;
}

/**
 * The postcode that begins with the word between two positions, which may be the whole postcode or its first
 * half.
 */
function keyAt(text: string, start: number, endOfFirst: number): KeyInText | undefined {
  const length = endOfFirst - start;
  let end = endOfFirst;
  let written = text.slice(start, end);
  if (length >= MIN_OUTCODE_CHARACTERS && length <= MAX_OUTCODE_CHARACTERS) {
    const second = endOf(GAP, text, endOfFirst);
    if (second < 0) return undefined;
    end = endOfWord(text, second);
    if (end - second !== INCODE_CHARACTERS) return undefined;
    written += text.slice(second, end);
  } else if (length > MAX_POSTCODE_CHARACTERS) return undefined;
  const key = keyOfText(written);
  if (key === NO_KEY) return undefined;
  // If a letter of any alphabet is beside it, it is a part of a longer word.
  const isPart = endOf(AFTER_LETTER, text, start) >= 0 || endOf(LETTER, text, end) >= 0;
  return isPart ? undefined : { key, start, end };
}

/**
 * Finds everything in the form of a postcode, in order: an outward and an inward code in any case, with
 * nothing, white space or hyphens between them, and no letter or digit beside them. Reads each character only
 * a few times.
 */
export function keysInText(text: string): KeyInText[] {
  const found: KeyInText[] = [];
  let place = 0;
  while (place < text.length) {
    if (!isLetterOrDigit(text, place)) {
      place += 1;
      continue;
    }
    const end = endOfWord(text, place);
    const match = keyAt(text, place, end);
    if (match !== undefined) found.push(match);
    place = match?.end ?? end;
  }
  return found;
}
