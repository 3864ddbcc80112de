import { LIMITS, type UsageStatistics } from '@signpost/contract';
import type { Clock } from '../platform/clock.js';
import type { Limit } from '../platform/limit.js';
import type { Database } from '../storage/storage.js';
import { dayOf, type Limits, minuteOf } from './rate-limit.js';
import { averageResponseTimeMs, dailyUsage, type UsageDay } from './usage-statistics.js';

/** The figures of `/api/usage`, for the console. Reading them counts no request. */
export interface Usage extends Omit<UsageStatistics, 'lastRequestAt'> {
  /** Null if the key was never used. */
  readonly lastRequestAtMs: number | null;
}

export interface OverallUsage extends Usage {
  /** How many keys had a request today. */
  readonly activeKeys: number;
}

/** PostgreSQL returns sums as text. */
type SumRow<Row> = { readonly [Column in keyof Row]: Row[Column] | string };

const usageOf = (days: readonly UsageDay[], today: number, requestsThisMinute: number): Usage => {
  const requestsOf = new Map(days.map(({ day, requests }) => [day, requests]));
  const lastAtMs = Math.max(...days.map(({ last_at }) => last_at ?? -Infinity));
  return {
    totalRequests: days.reduce((total, { requests }) => total + requests, 0),
    requestsToday: requestsOf.get(today) ?? 0,
    requestsThisMinute,
    averageResponseTimeMs: averageResponseTimeMs(days),
    lastRequestAtMs: Number.isFinite(lastAtMs) ? lastAtMs : null,
    dailyUsage: dailyUsage(today, requestsOf),
  };
};

const dayFromSums = (row: SumRow<UsageDay>): UsageDay => ({
  day: Number(row.day),
  requests: Number(row.requests),
  last_at: row.last_at === null ? null : Number(row.last_at),
  timed_requests: Number(row.timed_requests),
  timed_ms: Number(row.timed_ms),
});

const readDays = async (db: Database, keyId?: number): Promise<UsageDay[]> => {
  const rows = await db('usage_days')
    .where(keyId === undefined ? {} : { key_id: keyId })
    .groupBy('day')
    .sum({ requests: 'requests', timed_requests: 'timed_requests', timed_ms: 'timed_ms' })
    .max({ last_at: 'last_at' })
    .select<SumRow<UsageDay>[]>('day');
  return rows.map(dayFromSums);
};

/**
 * Counts the requests of the current minute, and the keys with a request today. With `keyId`, counts for this key
 * alone.
 */
async function readNow(db: Database, nowMs: number, keyId?: number) {
  const today = () =>
    db('usage_days').where({ day: dayOf(nowMs), ...(keyId === undefined ? {} : { key_id: keyId }) });
  const nowMinute = minuteOf(nowMs);
  // Includes the next minute, because another server's clock may be ahead.
  const minute = await today()
    .whereBetween('minute', [nowMinute, nowMinute + 1])
    .sum({ requests: 'minute_requests' });
  const active = await today().where('requests', '>', 0).count({ keys: '*' });
  return {
    minuteRequests: Number(minute[0]?.['requests'] ?? 0),
    activeKeys: Number(active[0]?.['keys'] ?? 0),
  };
}

/**
 * The statistics of one key, without counting a request. For a key that was never used, all figures are 0 and the time
 * of the last request is null.
 */
export async function readKeyUsage(db: Database, keyId: number, nowMs: number): Promise<Usage> {
  const days = await readDays(db, keyId);
  const { minuteRequests } = await readNow(db, nowMs, keyId);
  return usageOf(days, dayOf(nowMs), minuteRequests);
}

/** The statistics of all keys together, revoked ones included. */
export async function readOverallUsage(db: Database, nowMs: number): Promise<OverallUsage> {
  const days = await readDays(db);
  const { minuteRequests, activeKeys } = await readNow(db, nowMs);
  return { ...usageOf(days, dayOf(nowMs), minuteRequests), activeKeys };
}

/** The requests of an account's keys. */
export interface AccountUsage {
  /** The last 30 days of all keys of the account together, including revoked keys, oldest first. */
  readonly dailyUsage: Usage['dailyUsage'];
  /** Today's requests by key. Keys without usage today are missing. */
  readonly requestsTodayOf: ReadonlyMap<number, number>;
}

/** The usage of an account's keys, in as many queries for many keys as for one. */
export async function readUsageOfAccount(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<AccountUsage> {
  const today = dayOf(nowMs);
  const days = () =>
    db('usage_days')
      .join('api_keys', 'api_keys.id', 'usage_days.key_id')
      .join('projects', 'projects.id', 'api_keys.project_id')
      .where('projects.account_id', accountId);
  const byDay = await days()
    .where('day', '>', today - LIMITS.usageHistoryDays)
    .groupBy('day')
    .sum({ requests: 'requests' })
    .select<SumRow<Pick<UsageDay, 'day' | 'requests'>>[]>('day');
  const byKey = await days()
    .where({ day: today })
    .select<{ key_id: number; requests: number }[]>('key_id', 'requests');
  return {
    dailyUsage: dailyUsage(today, new Map(byDay.map((row) => [Number(row.day), Number(row.requests)]))),
    requestsTodayOf: new Map(byKey.map(({ key_id, requests }) => [key_id, requests])),
  };
}

const effectiveLimit = (own: Limit, byDefault: number | null): number | null =>
  own === 'default' ? byDefault : own === 'unlimited' ? null : own;

/** The limits that apply to a key or an account: its own, or otherwise the server's default; null if unlimited. */
export const effectiveLimits = (
  key: { readonly perMinute: Limit; readonly perDay: Limit },
  defaults: Limits,
): Limits => ({
  perMinute: effectiveLimit(key.perMinute, defaults.perMinute),
  perDay: effectiveLimit(key.perDay, defaults.perDay),
});

/** The rest of a limit; null if unlimited. */
export const remainingRequests = (limit: number | null, used: number): number | null =>
  limit === null ? null : Math.max(0, limit - used);

/** The rest of a key's limits in the current minute and day; null if unlimited. */
export const remainingLimits = (
  { perMinute, perDay }: Limits,
  { requestsThisMinute, requestsToday }: Pick<Usage, 'requestsThisMinute' | 'requestsToday'>,
): Limits => ({
  perMinute: remainingRequests(perMinute, requestsThisMinute),
  perDay: remainingRequests(perDay, requestsToday),
});

/** Returns functions that read the current usage of keys, for code that must not access the database itself. */
export const createUsageService = ({ db, clock }: { readonly db: Database; readonly clock: Clock }) => ({
  ofKey: (keyId: number) => readKeyUsage(db, keyId, clock()),
  ofAccount: (accountId: string) => readUsageOfAccount(db, accountId, clock()),
  ofAllKeys: () => readOverallUsage(db, clock()),
});

export type UsageService = ReturnType<typeof createUsageService>;
