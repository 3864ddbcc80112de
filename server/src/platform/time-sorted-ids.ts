const BASE = 36;
const TIME_DIGITS = 9;
const COUNT_DIGITS = 4;
const MAX_COUNT = BASE ** COUNT_DIGITS;

const digits = (value: number, width: number) => value.toString(BASE).padStart(width, '0');

/**
 * Returns a function that makes identifiers. They sort by time and, within one millisecond of one process, by the order
 * in which they were made, unless their count starts again in that millisecond. What `tail` returns tells the
 * identifiers of different processes apart.
 */
export function createTimeSortedIds(tail: () => string): (atMs: number) => string {
  let count = 0;
  return (atMs) => {
    count = (count + 1) % MAX_COUNT;
    return digits(atMs, TIME_DIGITS) + digits(count, COUNT_DIGITS) + tail();
  };
}
