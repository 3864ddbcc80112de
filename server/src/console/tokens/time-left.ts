import { HOUR_MINUTES, MINUTE_MS } from '../../platform/time-units.js';

/** A remaining time as hours and minutes, rounded up; undefined if nothing is left. Used by the browser, too. */
export function formatTimeLeft(leftMs: number): string | undefined {
  if (leftMs <= 0) return undefined;
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  return [
    { count: Math.floor(minutes / HOUR_MINUTES), unit: 'hour' },
    { count: minutes % HOUR_MINUTES, unit: 'minute' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ');
}
