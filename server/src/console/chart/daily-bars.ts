import type { DailyUsage } from './usage-summary.js';

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

const GAP_PART_OF_SLOT = 0.3;
const MIN_HEIGHT_PERCENT = 1.5;

/** Where the bar of a day is, in percent of the plot; the slot is the day's whole column. */
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

const percent = (part: number) => Number((part * 100).toFixed(3));

/** The bars of a plot whose axis ends at `top`; a day with any request at all can be told from one without. */
export function dailyBars(dailyUsage: DailyUsage, top: number): readonly DailyBar[] {
  const slot = 1 / dailyUsage.length;
  return dailyUsage.map(({ date, requestCount }, index) => {
    const height = requestCount === 0 ? 0 : Math.max(MIN_HEIGHT_PERCENT, percent(requestCount / top));
    return {
      date,
      requestCount,
      slotX: percent(index * slot),
      slotWidth: percent(slot),
      x: percent((index + GAP_PART_OF_SLOT / 2) * slot),
      width: percent((1 - GAP_PART_OF_SLOT) * slot),
      y: percent(1 - height / 100),
      height,
    };
  });
}
