import { z } from 'zod';
import { STOP } from './limits.js';

/** The absolute CSS units in lower case, and how many of each make an inch. */
const UNITS_PER_INCH: Readonly<Record<string, number>> = {
  cm: 2.54,
  mm: 25.4,
  in: 1,
  px: 96,
  pt: 72,
  pc: 6,
  q: 101.6,
};

const MAX_CHARACTERS = 20;
/** The largest number that a length may have, in any unit. */
const MAX_LENGTH = 10_000;

const eitherCase = (unit: string) =>
  unit.replace(/[a-z]/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
const UNITS = Object.keys(UNITS_PER_INCH).map(eitherCase).join('|');

/**
 * Matches a number that is not negative, with its unit in upper or lower case. Zero may also have a minus or no unit.
 * The pattern spells out both cases of each letter, because it is in the OpenAPI document too, where patterns have no
 * flags.
 */
const LENGTH = new RegExp(`^\\+?(?:\\d+|\\d*\\.\\d+)(?:${UNITS})$|^[+-]?(?:0+|0*\\.0+)(?:${UNITS})?$`, 'u');

/** Returns a length without a sign and with its unit in lower case, such as "1in" for "+1IN"; "0px" for any zero. */
function normalLength(text: string): string {
  const [unit = ''] = /[a-z]*$/iu.exec(text) ?? [];
  const number = Math.abs(Number.parseFloat(text));
  return number === 0 ? '0px' : `${number}${unit.toLowerCase()}`;
}

/** Converts a length such as "2.5cm", whose unit is in lower case, to inches. */
export function inches(length: string): number {
  const [unit = ''] = /[a-z]+$/u.exec(length) ?? [];
  return Number.parseFloat(length) / (UNITS_PER_INCH[unit] ?? 1);
}

/**
 * Returns the schema of a CSS length such as "1cm". White space around it is ignored. Parsing returns the length
 * without a sign, with its unit in lower case. `examples` is for the error message.
 */
export const cssLength = (examples: string, mayBeZero = true) =>
  z
    .string()
    .trim()
    .max(MAX_CHARACTERS, STOP)
    .regex(LENGTH, {
      error: `must be a number with cm, mm, in, px, pt, pc or Q, such as ${examples}${mayBeZero ? ', or 0' : ''}`,
      abort: true,
    })
    .refine((text) => Number.parseFloat(text) <= MAX_LENGTH, {
      error: `must be at most ${MAX_LENGTH} of its unit`,
      abort: true,
    })
    .refine((text) => mayBeZero || Number.parseFloat(text) > 0, { error: 'must be more than 0', abort: true })
    .overwrite(normalLength);
