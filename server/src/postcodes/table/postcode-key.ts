const LETTER_BASE = 10;
const ALPHABET = 26;
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const INCODE_CHARACTERS = 3;
/** The maximum number of characters of a postcode without spaces. */
export const MAX_POSTCODE_LENGTH = 7;
const MIN_POSTCODE_LENGTH = 5;
const MIN_OUTCODE_LENGTH = 2;

/** The number of inward codes ("1AA") with a valid form. */
export const INCODES = 10 * ALPHABET * ALPHABET;
const FOURTH = 37;
/**
 * How many values the third part of an outward code, its digit, can have: 0 to 9, or none in the few codes without a
 * digit ("GIR", "NPT").
 */
const THIRD = 11;
const SECOND = 27;
/** The number of outward codes ("SW1A") for which the numbering has space. */
export const OUTCODES = ALPHABET * SECOND * THIRD * FOURTH;

/** Returned for a text that is not a postcode, or not an outward code. */
export const NO_KEY = -1;

export const isDigit = (value: number) => value < LETTER_BASE;
const letter = (text: string) => CHARACTERS.indexOf(text) - LETTER_BASE;
const DIGITLESS_OUTCODES = new Set(['GIR', 'NPT'].map((text) => outcodeOf([...text].map(letter))));

function outcodeOf([first = 0, second = 0, third = 0]: readonly number[]): number {
  return outcode(first, second + 1, LETTER_BASE, third + 1 + LETTER_BASE);
}

/** Numbers outward codes in the order of their text. `second` and `fourth` are 0 if missing. */
function outcode(first: number, second: number, third: number, fourth: number): number {
  return ((first * SECOND + second) * THIRD + third) * FOURTH + fourth;
}

/**
 * The number of the outward code in the first `length` characters, or NO_KEY if they do not have the form of
 * one.
 */
export function outcodeNumber(characters: Uint8Array, length: number): number {
  const first = (characters[0] ?? 0) - LETTER_BASE;
  const second = characters[1] ?? 0;
  if (first < 0 || length < 2 || length > 4) return NO_KEY;
  const third = characters[2] ?? 0;
  if (isDigit(second)) {
    if (length === 4) return NO_KEY;
    return outcode(first, 0, second, length === 2 ? 0 : third + 1);
  }
  if (length === 2) return NO_KEY;
  if (isDigit(third)) {
    return outcode(first, second - LETTER_BASE + 1, third, length === 3 ? 0 : (characters[3] ?? 0) + 1);
  }
  const digitless = outcodeOf([first, second - LETTER_BASE, third - LETTER_BASE]);
  return length === 3 && DIGITLESS_OUTCODES.has(digitless) ? digitless : NO_KEY;
}

/** The value of a digit (0 to 9) or of an ASCII letter in either case (10 to 35); -1 for any other character. */
export function characterValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 90) return code - 65 + LETTER_BASE;
  return code >= 97 && code <= 122 ? code - 97 + LETTER_BASE : -1;
}

/**
 * The key of the postcode in the first `length` characters: a number, such that keys sort like the canonical texts;
 * NO_KEY if it is not a postcode.
 */
export function keyOfCharacters(characters: Uint8Array, length: number): number {
  if (length < MIN_POSTCODE_LENGTH || length > MAX_POSTCODE_LENGTH) return NO_KEY;
  const outwardLength = length - INCODE_CHARACTERS;
  const digit = characters[outwardLength] ?? 0;
  const second = (characters[outwardLength + 1] ?? 0) - LETTER_BASE;
  const third = (characters[outwardLength + 2] ?? 0) - LETTER_BASE;
  if (!isDigit(digit) || second < 0 || third < 0) return NO_KEY;
  const outward = outcodeNumber(characters, outwardLength);
  return outward < 0 ? NO_KEY : outward * INCODES + (digit * ALPHABET + second) * ALPHABET + third;
}

const incodes = Array.from({ length: INCODES }, (_, number) => {
  const second = Math.trunc(number / ALPHABET) % ALPHABET;
  return [
    Math.trunc(number / ALPHABET / ALPHABET),
    second + LETTER_BASE,
    (number % ALPHABET) + LETTER_BASE,
  ].reduce((text, value) => text + CHARACTERS.charAt(value), '');
});

/** The inward code of a key, such as "1AA". */
export const incodeOfKey = (key: number) => incodes[key % INCODES] ?? '';

const UNUSED_LETTERS = 'CIKMOV';

/** Whether the inward code of a key has only the letters that Royal Mail uses there. */
export const hasRealIncode = (key: number) =>
  !UNUSED_LETTERS.includes(incodeOfKey(key).charAt(1)) &&
  !UNUSED_LETTERS.includes(incodeOfKey(key).charAt(2));

/** The digit with which the inward code of a key begins. */
export const sectorOfKey = (key: number) => Math.trunc((key % INCODES) / ALPHABET / ALPHABET);

/** The number of a key's outward code. The engine compiles this expression to an integer division. */
export const outcodeOfKey = (key: number) => (key / INCODES) | 0;

/** The text of an outward code, such as "SW1A", from its number. */
export function outcodeText(number: number): string {
  const fourth = number % FOURTH;
  const third = Math.trunc(number / FOURTH) % THIRD;
  const second = Math.trunc(number / FOURTH / THIRD) % SECOND;
  const first = Math.trunc(number / FOURTH / THIRD / SECOND);
  return (
    CHARACTERS.charAt(first + LETTER_BASE) +
    (second === 0 ? '' : CHARACTERS.charAt(second - 1 + LETTER_BASE)) +
    (third === LETTER_BASE ? '' : CHARACTERS.charAt(third)) +
    (fourth === 0 ? '' : CHARACTERS.charAt(fourth - 1))
  );
}

/** Keys from `start` up to, but not including, `end`. */
export interface KeyRange {
  readonly start: number;
  readonly end: number;
  /** Whether the outward codes in the range take turns, so that each gets an equal share of a list. */
  readonly isShared: boolean;
}

const incodeSteps = [ALPHABET * ALPHABET * 10, ALPHABET * ALPHABET, ALPHABET, 1];

/**
 * The keys whose outward code is the first `from` characters, and whose inward code begins with those from there up to
 * `length`; undefined if the characters do not have that form.
 */
function withinOutcode(characters: Uint8Array, from: number, length: number): KeyRange | undefined {
  const outward = outcodeNumber(characters, from);
  const typed = length - from;
  if (outward === NO_KEY || typed > INCODE_CHARACTERS) return undefined;
  let inward = 0;
  for (let position = 0; position < typed; position += 1) {
    const value = characters[from + position] ?? 0;
    if (isDigit(value) !== (position === 0)) return undefined;
    inward += (position === 0 ? value : value - LETTER_BASE) * (incodeSteps[position + 1] ?? 0);
  }
  const start = outward * INCODES + inward;
  return { start, end: start + (incodeSteps[typed] ?? 0), isShared: false };
}

/** The keys of `count` consecutive outward codes, from number `start` on. */
const outcodeRange = (start: number, count: number, isShared = false): KeyRange => ({
  start: start * INCODES,
  end: (start + count) * INCODES,
  isShared,
});

/** The keys whose outward code begins with the first `length` characters; undefined if no outward code can. */
function outcodesStartingWith(characters: Uint8Array, length: number): KeyRange | undefined {
  const first = (characters[0] ?? 0) - LETTER_BASE;
  if (first < 0 || length > 4) return undefined;
  if (length === 1) return outcodeRange(outcode(first, 0, 0, 0), SECOND * THIRD * FOURTH);
  const second = characters[1] ?? 0;
  if (isDigit(second)) {
    if (length === 2) return outcodeRange(outcode(first, 0, second, 0), FOURTH);
    return length === 3 ? outcodeRange(outcode(first, 0, second, (characters[2] ?? 0) + 1), 1) : undefined;
  }
  if (length === 2) return outcodeRange(outcode(first, second - LETTER_BASE + 1, 0, 0), THIRD * FOURTH);
  const third = characters[2] ?? 0;
  if (length === 3 && isDigit(third))
    return outcodeRange(outcode(first, second - LETTER_BASE + 1, third, 0), FOURTH);
  const whole = outcodeNumber(characters, length);
  return whole === NO_KEY ? undefined : outcodeRange(whole, 1);
}

/**
 * The keys of the outward codes with a letter added: EC1 gives EC1A, EC1M and so on. None if the outward code has two
 * digits or already ends in a letter.
 */
const lettered = (outward: number): KeyRange[] =>
  outward % FOURTH === 0 ? [outcodeRange(outward + 1 + LETTER_BASE, ALPHABET)] : [];

/**
 * The keys of the outward codes with a letter added to this one, then of those with a digit added: M1 gives M1A and so
 * on, then M10 and so on. None if this one has two digits or ends in a letter.
 */
function longerOutcodes(outward: number): KeyRange[] {
  if (outward % FOURTH !== 0) return [];
  return [
    outcodeRange(outward + 1 + LETTER_BASE, ALPHABET, true),
    outcodeRange(outward + 1, LETTER_BASE, true),
  ];
}

/**
 * The keys of postcodes that begin with the first `length` characters, as lists of ranges. Callers use the first list
 * that has a postcode. `spaces` has the number of characters before each white space. Without a space, "M11" begins the
 * outward code M11, and also M1 1AA. A space after an outward code ends it. So "EC1 ", which has no postcodes itself,
 * means EC1A, EC1M and so on.
 */
export function keyRangesStartingWith(
  characters: Uint8Array,
  length: number,
  spaces: readonly number[],
): readonly (readonly KeyRange[])[] {
  const ends = spaces.filter((position) => outcodeNumber(characters, position) !== NO_KEY);
  if (ends.length === 0) return [unspaced(characters, length)];
  for (const end of ends) {
    const bound = withinOutcode(characters, end, length);
    if (bound === undefined) continue;
    return end === length ? [[bound], lettered(outcodeNumber(characters, end))] : [[bound]];
  }
  return [];
}

/**
 * The ranges for characters without a space between them, in the order in which postcodes are listed: for "W1", those
 * of W1, of W1A and so on, of W10 and so on; for "W11", those of W11, then of W1 1.
 */
function unspaced(characters: Uint8Array, length: number): KeyRange[] {
  const outward = outcodeNumber(characters, length);
  const ranges =
    outward === NO_KEY
      ? [outcodesStartingWith(characters, length)]
      : [outcodeRange(outward, 1), ...longerOutcodes(outward)];
  for (let from = MIN_OUTCODE_LENGTH; from < length; from += 1)
    ranges.push(withinOutcode(characters, from, length));
  return ranges.filter((range) => range !== undefined);
}
