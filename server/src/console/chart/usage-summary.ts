import type { UsageStatistics } from '@signpost/contract';
import { formatCount } from '../layout/formatting.js';

const dateFrom = (date: string) => new Date(`${date}T00:00:00Z`);

/** Formats a date YYYY-MM-DD, including the year. */
export const longDate = (date: string): string =>
  dateFrom(date).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a date YYYY-MM-DD without the year, for contexts that make the year plain. */
export const shortDate = (date: string): string =>
  dateFrom(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export type DailyUsage = UsageStatistics['dailyUsage'];

export const formatRequestCount = (count: number): string =>
  `${count === 0 ? 'no' : formatCount(count)} ${count === 1 ? 'request' : 'requests'}`;

export const totalOf = (dailyUsage: DailyUsage): number =>
  dailyUsage.reduce((total, { requestCount }) => total + requestCount, 0);

/** A summary of a chart in words: total, period and, if there were requests, the busiest day. */
export function usageSummary(dailyUsage: DailyUsage): string {
  const [first, last] = [dailyUsage[0], dailyUsage.at(-1)];
  if (first === undefined || last === undefined) return 'No days.';
  const span = `from ${longDate(first.date)} to ${longDate(last.date)} (UTC)`;
  const busy = dailyUsage.filter(({ requestCount }) => requestCount > 0);
  const total = formatRequestCount(totalOf(dailyUsage));
  const [someBusy, ...others] = busy;
  if (someBusy === undefined) return `${total} ${span}.`;
  const most = others.reduce((a, b) => (b.requestCount > a.requestCount ? b : a), someBusy);
  const when =
    others.length === 0
      ? `all on ${longDate(most.date)}`
      : `on ${busy.length} of ${dailyUsage.length} days; the most, ${formatCount(most.requestCount)}, on ${longDate(most.date)}`;
  return `${total} ${span}, ${when}.`;
}
