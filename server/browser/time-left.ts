const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** A time to come as hours and minutes, in the words that the server rendered; undefined where nothing is left. */
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
