import { NO_COORDINATE, UNITS_PER_DEGREE } from './directory-data.js';

const THOUSAND = 1_000;
const MOST_METRES = 2_000_000;

const wholeTexts = Array.from({ length: MOST_METRES / THOUSAND }, (_, number) => String(number));
const threeDigits = Array.from({ length: THOUSAND }, (_, number) => String(number).padStart(3, '0'));
const lastDigits = threeDigits.map((digits) => digits.replace(/0+$/u, ''));

/**
 * A column's latitude or longitude as JSON has it in degrees, such as "-0.141563". Put together from ready digits:
 * to find the shortest text of a fraction takes the engine several times as long.
 */
export function degreesText(units: number): string {
  if (units === NO_COORDINATE) return 'null';
  const size = Math.abs(units);
  const whole = Math.trunc(size / UNITS_PER_DEGREE);
  const rest = size - whole * UNITS_PER_DEGREE;
  const text = (units < 0 ? '-' : '') + (wholeTexts[whole] ?? String(whole));
  if (rest === 0) return text;
  const thousands = Math.trunc(rest / THOUSAND);
  const last = rest - thousands * THOUSAND;
  if (last === 0) return `${text}.${lastDigits[thousands] ?? ''}`;
  return `${text}.${threeDigits[thousands] ?? ''}${lastDigits[last] ?? ''}`;
}

/** A column's easting or northing as JSON has it in metres. */
export function metresText(metres: number): string {
  if (metres < THOUSAND || metres >= MOST_METRES) return metres === NO_COORDINATE ? 'null' : String(metres);
  const thousands = Math.trunc(metres / THOUSAND);
  return (wholeTexts[thousands] ?? '') + (threeDigits[metres - thousands * THOUSAND] ?? '');
}
