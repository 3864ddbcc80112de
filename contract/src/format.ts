const KIBIBYTE = 1_024;
const MEBIBYTE = 1_048_576;
const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;

/** A number of bytes in KiB, or from 1 MiB on in MiB, such as "64 KiB". Not rounded. */
export const formatBytes = (bytes: number): string =>
  bytes < MEBIBYTE ? `${bytes / KIBIBYTE} KiB` : `${bytes / MEBIBYTE} MiB`;

/** A count with its noun, which gets an "s" unless the count is 1: "1 postcode", "2 postcodes". */
export const formatCount = (count: number, unit: string): string =>
  `${count} ${unit}${count === 1 ? '' : 's'}`;

/**
 * A duration in whole seconds if it is below two minutes, in minutes if below two hours, otherwise in hours; rounded
 * up.
 */
export function formatDuration(seconds: number): string {
  if (seconds < 2 * SECONDS_PER_MINUTE) return formatCount(Math.ceil(seconds), 'second');
  if (seconds < 2 * SECONDS_PER_HOUR) return formatCount(Math.ceil(seconds / SECONDS_PER_MINUTE), 'minute');
  return formatCount(Math.ceil(seconds / SECONDS_PER_HOUR), 'hour');
}
