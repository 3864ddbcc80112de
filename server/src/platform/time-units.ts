export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const HOUR_MINUTES = 60;
export const DAY_MINUTES = 24 * HOUR_MINUTES;

/**
 * The start of a day in UTC, in milliseconds since the epoch; undefined if the text is not a day written as 2026-11-23.
 */
export function parseDay(text: string): number | undefined {
  const timeMs = /^\d{4}-\d\d-\d\d$/u.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(timeMs)) return undefined;
  // `Date.parse` reads a day that its month does not have, such as 2026-02-30, as a day of the next month.
  return new Date(timeMs).toISOString().startsWith(text) ? timeMs : undefined;
}
