import { scaleBand, scaleLinear } from 'd3-scale';
import type { DailyUsage } from './usage-summary.js';

/** d3 rounds steps to 1, 2, 5 or 10, so asking for 3 never yields more than four intervals. */
const WANTED_INTERVALS = 3;
const GAP_SHARE_OF_SLOT = 0.3;
const MIN_HEIGHT_PERCENT = 1.5;

/** The ticks of an axis of counts: evenly spaced whole numbers from 0 to at least the largest count. */
export const countTicks = (largest: number): readonly number[] =>
  scaleLinear([0, Math.max(1, largest)], [0, 100])
    .nice(WANTED_INTERVALS)
    .ticks(WANTED_INTERVALS)
    .filter(Number.isInteger);

/** A tick's label: short, and still exact because ticks are round. */
export const tickLabel = (tick: number): string =>
  tick.toLocaleString('en-GB', tick >= 10_000 ? { notation: 'compact' } : {});

/** The position of a day's bar, in percent of the plot. The slot is the day's whole column. */
export interface DailyBar {
  readonly date: string;
  readonly requestCount: number;
  readonly slotX: number;
  readonly slotWidth: number;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
}

const rounded = (percent: number) => Number(percent.toFixed(3));

/**
 * The bars of a plot whose axis ends at `top`. A day with any request is visibly different from a day
 * without.
 */
export function dailyBars(dailyUsage: DailyUsage, top: number): readonly DailyBar[] {
  const days = scaleBand(
    dailyUsage.map(({ date }) => date),
    [0, 100],
  )
    .paddingInner(GAP_SHARE_OF_SLOT)
    .paddingOuter(GAP_SHARE_OF_SLOT / 2);
  const heights = scaleLinear([0, top], [0, 100]);
  const gap = days.step() - days.bandwidth();
  return dailyUsage.map(({ date, requestCount }) => {
    const x = days(date) ?? 0;
    const height = requestCount === 0 ? 0 : Math.max(MIN_HEIGHT_PERCENT, rounded(heights(requestCount)));
    return {
      date,
      requestCount,
      slotX: rounded(x - gap / 2),
      slotWidth: rounded(days.step()),
      x: rounded(x),
      width: rounded(days.bandwidth()),
      y: rounded(100 - height),
      height,
    };
  });
}
