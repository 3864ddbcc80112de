const MAX_INTERVALS = 4;
const NICE = [1, 2, 5, 10] as const;

/** The least of 1, 2, 5, 10, 20, 50, … that is not below this number. */
function niceStep(least: number): number {
  const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return magnitude * (NICE.find((step) => step * magnitude >= least) ?? 10);
}

/** The ticks of an axis of counts: evenly spaced whole numbers from 0 to at least the largest count. */
export function countTicks(largest: number): readonly number[] {
  const step = largest <= MAX_INTERVALS ? 1 : niceStep(largest / MAX_INTERVALS);
  const intervals = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: intervals + 1 }, (_, index) => index * step);
}

/** A tick as it stands beside its line: short, and exact because ticks are round. */
export const tickLabel = (tick: number): string =>
  tick.toLocaleString('en-GB', tick >= 10_000 ? { notation: 'compact' } : {});
