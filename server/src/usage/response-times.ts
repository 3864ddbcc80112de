/** Upper bounds in milliseconds of the times that are told apart, for answers out of memory as well as for captures. */
export const TIME_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

/** One more than there are bounds: the last is for all that took longer. */
export const TIME_PLACES = TIME_BOUNDS_MS.length + 1;

/** The column of the answers of a place. */
export const timeColumn = (place: number) => `took_${place}`;

/** The place of a time among the bounds. */
export function placeOfTime(elapsedMs: number): number {
  const place = TIME_BOUNDS_MS.findIndex((bound) => elapsedMs <= bound);
  return place === -1 ? TIME_BOUNDS_MS.length : place;
}

/** Between which times something lies: more than `fromMs`, at most `toMs`, which is null where nothing bounds it. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Where the slowest of the fastest share of these answers lies; undefined where there are none. */
export function percentile(places: readonly number[], share: number): TimeRange | undefined {
  const wanted = share * places.reduce((total, count) => total + count, 0);
  if (wanted === 0) return undefined;
  let seen = 0;
  const found = places.findIndex((count) => {
    seen += count;
    return seen >= wanted;
  });
  return { fromMs: TIME_BOUNDS_MS[found - 1] ?? 0, toMs: TIME_BOUNDS_MS[found] ?? null };
}
