const LETTER_A = 65;
const DIGITS_RANGE = 100_000_000;
/** Beyond every letter with eight digits: places in a list of other codes. */
const FIRST_OTHER = 26 * DIGITS_RANGE;

/** Codes of small areas in 32 bits: a letter and eight digits as they are, others by their place in a list. */
export const NO_SMALL_AREA = 0;

/** The code of a letter and its eight digits; none is 0, as no area's letter is A. */
export const smallAreaOf = (letter: number, digits: number) => (letter - LETTER_A) * DIGITS_RANGE + digits;

export const smallAreaOfOther = (place: number) => FIRST_OTHER + place;

/** Whether it is a letter and eight digits. */
export const isGssCode = (code: number) => code !== NO_SMALL_AREA && code < FIRST_OTHER;

/** The byte of its letter. */
export const letterOf = (code: number) => LETTER_A + Math.trunc(code / DIGITS_RANGE);

export const digitsOf = (code: number) => code % DIGITS_RANGE;

/** A code as text; null where there is none. */
export function smallAreaText(code: number, others: readonly string[]): string | null {
  if (code === NO_SMALL_AREA) return null;
  if (!isGssCode(code)) return others[code - FIRST_OTHER] ?? null;
  return `${String.fromCharCode(letterOf(code))}${String(digitsOf(code)).padStart(8, '0')}`;
}
