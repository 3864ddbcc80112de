import { toUsualWidth } from '@signpost/contract';
import { keyOfText, possibleKeys } from './normalise-postcode.js';
import { characterValue, hasRealIncode, isDigit, NO_KEY } from './postcode-key.js';

/** A postcode found in a text: its key, and its place from `start` up to, but not including, `end`, in UTF-16 units. */
export interface KeyInText {
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

const INCODE_CHARACTERS = 3;
const MIN_OUTCODE_CHARACTERS = 2;
const MAX_OUTCODE_CHARACTERS = 4;
const MAX_POSTCODE_CHARACTERS = MAX_OUTCODE_CHARACTERS + INCODE_CHARACTERS;
/** The characters allowed between the two halves of a postcode, including a space as URLs and HTML write it. */
const GAP =
  /(?:[\s\p{Dash}\p{Cf}\p{Default_Ignorable_Code_Point}_+]|%20|%C2%A0|&nbsp;|&#0*(?:32|160);|&#x0*(?:20|a0);)+/iuy;
const LINE_BREAKS = /\r\n|[\n\r\u0085\u2028]/gu;
const PARAGRAPH_BREAK = /[\f\v\u2029]/u;
/**
 * A character as URLs escape it, such as %20 for a space: any of ASCII except those that begin with %4 or %6, and the
 * no-break space. Nearly all of the excepted characters are letters, which belong to the word beside them, and what
 * follows the % of their escapes does not look like the start of a postcode.
 */
const ESCAPE = /%(?:[0-357][\da-f]|C2%A0)/iuy;
const AFTER_LETTER = /(?<=[\p{L}\p{N}]\p{M}*)(?<!%(?:[0-357][\da-f]|C2%A0))/iuy;
const LETTER = /[\p{L}\p{N}\p{M}]/uy;

/** The end of a match that starts exactly at `position`; -1 if there isn't one. */
function endOf(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const PERCENT = 0x25;
const SOFT_HYPHEN = 0xad;
const BYTE_ORDER_MARK = 0xfeff;
/**
 * Characters without a width that may occur inside a word. The zero-width space is not one of them, because it
 * divides words.
 */
const isInvisible = (code: number) =>
  code === SOFT_HYPHEN ||
  code === BYTE_ORDER_MARK ||
  (code > 0x200b && code < 0x2010) ||
  (code > 0x2029 && code < 0x202f) ||
  (code > 0x205f && code < 0x2070);

/** A word: ASCII letters and digits with nothing but invisible characters between them. */
interface Word {
  readonly end: number;
  /** The word's characters without invisible ones: at most one more than a postcode can have. */
  readonly characters: string;
}

/** Reads the word that begins at a position. Invisible characters between its letters do not end it. */
function wordAt(text: string, start: number): Word {
  let end = start;
  let characters = '';
  for (let position = start; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (characterValue(code) >= 0) {
      if (characters.length <= MAX_POSTCODE_CHARACTERS) characters += text.charAt(position);
      end = position + 1;
    } else if (!isInvisible(code)) break;
  }
  return { end, characters };
}

const MAX_LOOK_ALIKE_DIGIT = 1;
/** The outward codes that have no digit. */
const DIGITLESS = /^(?:npt|gir)$/iu;

/**
 * The end of the word at a position if it is clear that no postcode begins with it, otherwise -1. Recognises most words
 * of a text by their length, their first character and the lack of a digit, without cutting out a string.
 */
function endOfOtherWord(text: string, start: number): number {
  const first = characterValue(text.charCodeAt(start));
  let end = start;
  let isWithoutDigit = true;
  for (; end < text.length; end += 1) {
    const value = characterValue(text.charCodeAt(end));
    if (value < 0) break;
    if (isDigit(value)) isWithoutDigit = false;
  }
  if (isInvisible(text.charCodeAt(end))) return -1;
  const length = end - start;
  const isOther =
    length < MIN_OUTCODE_CHARACTERS ||
    length > MAX_POSTCODE_CHARACTERS ||
    (isDigit(first) && first > MAX_LOOK_ALIKE_DIGIT) ||
    (isWithoutDigit && !(length === INCODE_CHARACTERS && DIGITLESS.test(text.slice(start, end))));
  return isOther ? end : -1;
}

/** Whether the text between the two halves of a postcode contains a blank line, a page break or a paragraph break. */
const isBreak = (gap: string) => (gap.match(LINE_BREAKS)?.length ?? 0) > 1 || PARAGRAPH_BREAK.test(gap);

const hasDigit = (text: string) =>
  [...text].some((character) => isDigit(characterValue(character.charCodeAt(0))));

/**
 * The key of the two halves of a postcode: as written if that key is known; otherwise with typing errors repaired if
 * both halves have a digit and the repaired key is known; otherwise as written if it can be real, or else NO_KEY.
 */
function keyOfHalves(outward: string, inward: string, isKnown: (key: number) => boolean): number {
  const written = keyOfText(outward + inward);
  const isReal = written !== NO_KEY && hasRealIncode(written);
  // A known key is accepted whatever its letters, because the directory has a postcode with a V in its inward code.
  if (written !== NO_KEY && isKnown(written)) return written;
  if (!hasDigit(outward) || !hasDigit(inward)) return isReal ? written : NO_KEY;
  return possibleKeys(`${outward} ${inward}`).find(isKnown) ?? (isReal ? written : NO_KEY);
}

/**
 * The postcode that begins with a word, which may be the whole postcode or its first half; undefined if there is
 * none.
 */
function keyAt(
  text: string,
  start: number,
  first: Word,
  isKnown: (key: number) => boolean,
): KeyInText | undefined {
  const { length } = first.characters;
  let { end } = first;
  let outward = first.characters;
  let inward: string;
  if (length >= MIN_OUTCODE_CHARACTERS && length <= MAX_OUTCODE_CHARACTERS) {
    const second = endOf(GAP, text, end);
    if (second < 0) return undefined;
    const next = wordAt(text, second);
    if (next.characters.length !== INCODE_CHARACTERS || isBreak(text.slice(end, second))) return undefined;
    ({ end } = next);
    inward = next.characters;
  } else {
    if (length > MAX_POSTCODE_CHARACTERS || length <= INCODE_CHARACTERS) return undefined;
    inward = outward.slice(-INCODE_CHARACTERS);
    outward = outward.slice(0, -INCODE_CHARACTERS);
  }
  const key = keyOfHalves(outward, inward, isKnown);
  if (key === NO_KEY) return undefined;
  // If a letter or digit of any script is directly beside the postcode, the text is part of a longer word.
  const isPart = endOf(AFTER_LETTER, text, start) >= 0 || endOf(LETTER, text, end) >= 0;
  return isPart ? undefined : { key, start, end };
}

/**
 * Finds every text in the form of a postcode, in order: an outward and an inward code, whatever their case and width,
 * with nothing, white space (also as URLs and HTML write it), invisible characters, hyphens, "_", "+" or one line break
 * between them, and no letter or digit beside them. A typing error, such as O for 0 or L for 1, is repaired only if
 * `isKnown` accepts the result.
 */
export function keysInText(written: string, isKnown: (key: number) => boolean = () => false): KeyInText[] {
  const text = toUsualWidth(written);
  const found: KeyInText[] = [];
  let position = 0;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (characterValue(code) < 0) {
      position = code === PERCENT ? Math.max(endOf(ESCAPE, text, position), position + 1) : position + 1;
      continue;
    }
    const otherWordEnd = endOfOtherWord(text, position);
    if (otherWordEnd >= 0) {
      position = otherWordEnd;
      continue;
    }
    const word = wordAt(text, position);
    const match = keyAt(text, position, word, isKnown);
    if (match !== undefined) found.push(match);
    position = match?.end ?? word.end;
  }
  return found;
}
