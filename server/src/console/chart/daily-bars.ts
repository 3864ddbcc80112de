import type { DailyUsage } from './usage-words.js';

const GAP_PART_OF_SLOT = 0.3;
const LEAST_HEIGHT_PERCENT = 1.5;

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
    const height = requestCount === 0 ? 0 : Math.max(LEAST_HEIGHT_PERCENT, percent(requestCount / top));
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
