import { LIMITS, type UsageStatistics } from '@signpost/contract';
import type { Database } from '../storage/storage.js';
import { type Admission, dateOf } from './rate-limit.js';

/** The usage of one day, in the columns in which it is stored for a key. */
export interface UsageDay {
  readonly day: number;
  readonly requests: number;
  readonly last_at: number | null;
  readonly timed_requests: number;
  readonly timed_ms: number;
}

/** Returns the statistics of the key whose request was just admitted. */
export type ReadUsage = (admission: Admission) => Promise<UsageStatistics>;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const round = (value: number, decimals: number) => Number(value.toFixed(decimals));

/** The mean response time of these days, to a thousandth of a millisecond; 0 if none was timed. */
export function averageResponseTimeMs(
  days: readonly Pick<UsageDay, 'timed_requests' | 'timed_ms'>[],
): number {
  const timed = sum(days.map(({ timed_requests }) => timed_requests));
  return timed === 0 ? 0 : round(sum(days.map(({ timed_ms }) => timed_ms)) / timed, 3);
}

/** The last 30 days, oldest first, with 0 for days without requests. */
export const dailyUsage = (
  today: number,
  requestsOf: ReadonlyMap<number, number>,
): UsageStatistics['dailyUsage'] =>
  Array.from({ length: LIMITS.usageHistoryDays }, (_, index) => {
    const day = today - LIMITS.usageHistoryDays + 1 + index;
    return { date: dateOf(day), requestCount: requestsOf.get(day) ?? 0 };
  });

/**
 * The statistics of the admitted key as of `admission`, except that the mean response time is that of all `days`, the
 * stored days of the key. `lastRequestAt` is the time of the previous request, or of this one if it is the key's first.
 */
export function usageStatistics(admission: Admission, days: readonly UsageDay[]): UsageStatistics {
  const { day: today, dayRequests, minuteRequests, previousAtMs, timeMs } = admission;
  const earlier = days.filter(({ day }) => day < today);
  const requestsOf = new Map(earlier.map(({ day, requests }) => [day, requests])).set(today, dayRequests);
  const lastAtMs = previousAtMs ?? Math.max(...earlier.map(({ last_at }) => last_at ?? -Infinity));
  return {
    totalRequests: sum([...requestsOf.values()]),
    requestsToday: dayRequests,
    requestsThisMinute: minuteRequests,
    averageResponseTimeMs: averageResponseTimeMs(days),
    lastRequestAt: new Date(Number.isFinite(lastAtMs) ? lastAtMs : timeMs).toISOString(),
    dailyUsage: dailyUsage(today, requestsOf),
  };
}

/** Returns a function that reads the statistics of a key from the database. */
export const createUsageReader =
  (db: Database): ReadUsage =>
  async (admission) => {
    const days = await db<UsageDay & { key_id: number }>('usage_days')
      .where({ key_id: admission.keyId })
      .select('day', 'requests', 'last_at', 'timed_requests', 'timed_ms');
    return usageStatistics(admission, days);
  };
