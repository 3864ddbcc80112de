const secondsPerMinute = 60;
const secondsPerHour = 3_600;

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** A time to wait as people say it, rounded up: seconds below two minutes, minutes below two hours, else hours. */
export function formatDuration(seconds: number): string {
  if (seconds < 2 * secondsPerMinute) return counted(seconds, 'second');
  if (seconds < 2 * secondsPerHour) return counted(Math.ceil(seconds / secondsPerMinute), 'minute');
  return counted(Math.ceil(seconds / secondsPerHour), 'hour');
}
