const KIBIBYTE = 1_024;
const MEBIBYTE = 1_048_576;
const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;

/** A number of bytes for people: "64 KiB", "8 MiB". */
export const formatBytes = (bytes: number): string =>
  bytes < MEBIBYTE ? `${bytes / KIBIBYTE} KiB` : `${bytes / MEBIBYTE} MiB`;

/** A count with its noun: "1 postcode", "2 postcodes". The plural must be regular. */
export const formatCount = (count: number, unit: string): string =>
  `${count} ${unit}${count === 1 ? '' : 's'}`;

/** A duration for people, rounded up: seconds below two minutes, minutes below two hours, else hours. */
export function formatDuration(seconds: number): string {
  if (seconds < 2 * SECONDS_PER_MINUTE) return formatCount(Math.ceil(seconds), 'second');
  if (seconds < 2 * SECONDS_PER_HOUR) return formatCount(Math.ceil(seconds / SECONDS_PER_MINUTE), 'minute');
  return formatCount(Math.ceil(seconds / SECONDS_PER_HOUR), 'hour');
}
