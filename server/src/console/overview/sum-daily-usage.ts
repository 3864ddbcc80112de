import { dayOf } from '../../usage/calendar.js';
import { dailyUsage } from '../../usage/usage-statistics.js';
import type { DailyUsage } from '../chart/usage-words.js';

/** The daily usage of several keys as one; all days up to today at 0 where there are no keys. */
export function sumDailyUsage(usages: readonly DailyUsage[], nowMs: number): DailyUsage {
  const requestsOn = new Map<string, number>();
  for (const { date, requestCount } of usages.flat()) {
    requestsOn.set(date, (requestsOn.get(date) ?? 0) + requestCount);
  }
  return dailyUsage(dayOf(nowMs), new Map()).map(({ date }) => ({
    date,
    requestCount: requestsOn.get(date) ?? 0,
  }));
}
