const LETTER_A = 65;
const DIGITS_RANGE = 100_000_000;
/**
 * Larger than every code of a letter and eight digits. From here on, numbers are indexes into a list of other codes.
 */
const FIRST_OTHER = 26 * DIGITS_RANGE;

/**
 * The value for no area. Codes of small areas are stored in 32 bits: a letter and eight digits directly, others as
 * an index into a list.
 */
export const NO_SMALL_AREA = 0;

/** The number for a letter and eight digits. It is never 0, because no area's letter is A. */
export const smallAreaOf = (letter: number, digits: number) => (letter - LETTER_A) * DIGITS_RANGE + digits;

export const smallAreaOfOther = (index: number) => FIRST_OTHER + index;

/** Whether the code is a letter and eight digits. */
export const isGssCode = (code: number) => code !== NO_SMALL_AREA && code < FIRST_OTHER;

/** The letter of a code of a letter and eight digits, as an ASCII byte. */
export const letterOf = (code: number) => LETTER_A + Math.trunc(code / DIGITS_RANGE);

export const digitsOf = (code: number) => code % DIGITS_RANGE;

/** The text of a code; null for NO_SMALL_AREA, and for an index into `others` that has no text there. */
export function smallAreaText(code: number, others: readonly string[]): string | null {
  if (code === NO_SMALL_AREA) return null;
  if (!isGssCode(code)) return others[code - FIRST_OTHER] || null;
  return `${String.fromCharCode(letterOf(code))}${String(digitsOf(code)).padStart(8, '0')}`;
}
