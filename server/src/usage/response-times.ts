/**
 * The upper bounds of the response time ranges in milliseconds. They suit responses from memory as well as captures.
 */
export const TIME_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

/** The number of ranges: the last one is for everything above the bounds. */
export const TIME_RANGES = TIME_BOUNDS_MS.length + 1;

/** The column that counts the responses in a range. */
export const timeColumn = (range: number) => `took_${range}`;

/** The index of a time's range. */
export function timeRangeIndex(elapsedMs: number): number {
  const range = TIME_BOUNDS_MS.findIndex((bound) => elapsedMs <= bound);
  return range === -1 ? TIME_BOUNDS_MS.length : range;
}

/**
 * A range of response times: more than `fromMs` (the first range includes 0), at most `toMs`, which is null if there is
 * no upper bound.
 */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/**
 * The range of the response time that a fraction of the responses, such as 0.95, did not exceed; undefined if there are
 * no responses.
 */
export function percentile(timeCounts: readonly number[], fraction: number): TimeRange | undefined {
  const threshold = fraction * timeCounts.reduce((total, count) => total + count, 0);
  if (threshold === 0) return undefined;
  let seen = 0;
  const found = timeCounts.findIndex((count) => {
    seen += count;
    return seen >= threshold;
  });
  return { fromMs: TIME_BOUNDS_MS[found - 1] ?? 0, toMs: TIME_BOUNDS_MS[found] ?? null };
}
