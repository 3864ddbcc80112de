import { HOUR_MINUTES, MINUTE_MS } from '../../platform/time-units.js';

/**
 * A time to come as hours and minutes, a minute that has begun as a whole one; undefined where nothing is left. The
 * page renders it, and the countdown in the browser repeats it.
 */
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
