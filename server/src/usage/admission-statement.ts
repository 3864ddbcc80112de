import { keyWorks } from '../storage/key-life.js';
import type { Dialect, PreparedQueries } from '../storage/storage.js';
import {
  accountAdmissionsSql,
  countsToLast,
  functionsOf,
  IS_CAPPED,
  NO_LIMIT,
} from './account-admissions.js';
import type { Allowance, Limits } from './rate-limit.js';

/** One key's part of a batch. */
export interface KeyBatch {
  readonly keyId: number;
  /** The number of requests to admit; 0 to only read the usage or add response times. */
  readonly requestCount: number;
  /** When the first request arrived (now if none did), in ms since the epoch. If any is admitted, the first one is. */
  readonly lastAtMs: number;
  /** The number of response times that this batch adds. */
  readonly timedRequests: number;
  /** The sum of the response times that this batch adds, in milliseconds. */
  readonly timedMs: number;
}

/** The result for one key of a batch. A key that is unknown or may not be used has no row. */
export interface KeyBatchRow {
  readonly key_id: number;
  readonly granted: number;
  readonly requests: number;
  readonly minute_requests: number;
  readonly per_minute: number;
  readonly per_day: number;
  /** The day's usage of all keys of the account after this part of the batch; null if the account has no limit. */
  readonly account_requests: number | null;
  /** Like `account_requests`, for the minute. */
  readonly account_minute_requests: number | null;
  readonly account_per_minute: number;
  readonly account_per_day: number;
  readonly previous_at: number | null;
}

/** Durably counts a batch. Returns a row for each working key in it. */
export type CountBatch = (
  batch: readonly KeyBatch[],
  day: number,
  minute: number,
) => Promise<readonly KeyBatchRow[]>;

const limitOrDefault = (column: string) =>
  `CASE WHEN ${column} IS NULL THEN CAST(? AS INTEGER) WHEN ${column} < 0 THEN ${NO_LIMIT} ELSE ${column} END`;

/**
 * SQL expression: a column of `account_admissions` for the key; null if its account has no limit. In that case the
 * column is not computed, so that the key costs nothing extra.
 */
const accountColumn = (column: string) =>
  `CASE WHEN ${IS_CAPPED} THEN (SELECT t.${column} FROM account_admissions t WHERE t.key_id = live.key_id) END`;

/**
 * The statement that admits a batch. It finds the working keys, counts their requests up to the limits of each key and
 * its account, adds response times, and returns how many requests of each key were admitted. Its locks make the limits
 * exact, however many servers run it at once. All servers lock first the accounts with a limit, then the rows of
 * `usage_days`, always in the same order. If a clock is set back, the usage of the minute comes from `usage_minutes`.
 */
export function admissionSql(keys: number, dialect: Dialect): string {
  const [least, greatest] = functionsOf(dialect);
  const rowPlaceholders = Array.from(
    { length: keys },
    () =>
      '(CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS INTEGER), CAST(? AS DOUBLE PRECISION))',
  ).join(', ');
  const isSameMinute = countsToLast('excluded.minute', 'u');
  const usedBefore =
    dialect === 'sqlite'
      ? `COALESCE((
    SELECT m.requests FROM usage_minutes m WHERE m.key_id = u.key_id AND m.minute = excluded.minute), 0)`
      : 'used_in_minute(u.key_id, excluded.minute)';
  const minuteUsed = `CASE WHEN ${isSameMinute} THEN u.minute_requests ELSE ${usedBefore} END`;
  const granted = `${greatest}(0, ${least}(excluded.granted, excluded.per_minute - (${minuteUsed}), excluded.per_day - u.requests))`;
  // PostgreSQL evaluates this condition once and first, so it locks all accounts before any row.
  const locksAccountsFirst = dialect === 'sqlite' ? 'true' : '(SELECT COUNT(*) FROM account_admissions) >= 0';
  return `
    WITH batch (key_id, requested, last_at, timed_requests, timed_ms) AS (VALUES ${rowPlaceholders}),
    live AS (
      SELECT batch.*, CAST(? AS INTEGER) AS day, CAST(? AS INTEGER) AS minute, a.id AS account_id,
        ${limitOrDefault('k.per_minute')} AS per_minute, ${limitOrDefault('k.per_day')} AS per_day,
        ${limitOrDefault('a.per_minute')} AS account_per_minute, ${limitOrDefault('a.per_day')} AS account_per_day
      FROM batch
      JOIN api_keys k ON k.id = batch.key_id
      JOIN projects p ON p.id = k.project_id
      JOIN accounts a ON a.id = p.account_id
      WHERE ${keyWorks('k', 'batch.last_at')} AND a.disabled_at IS NULL
    ),${accountAdmissionsSql(dialect)},
    admissions AS MATERIALIZED (
      SELECT live.*, COALESCE(${accountColumn('granted')}, ${least}(requested, per_minute, per_day)) AS granted,
        ${accountColumn('account_requests')} AS account_requests,
        ${accountColumn('account_minute_requests')} AS account_minute_requests
      FROM live
    )
    INSERT INTO usage_days AS u
      (key_id, day, granted, requests, minute, minute_requests, per_minute, per_day,
       account_requests, account_minute_requests, account_per_minute, account_per_day,
       last_at, previous_at, timed_requests, timed_ms)
    SELECT key_id, day, granted, granted, minute, granted, per_minute, per_day,
      account_requests, account_minute_requests, account_per_minute, account_per_day,
      CASE WHEN granted > 0 THEN last_at END, NULL, timed_requests, timed_ms
    FROM admissions WHERE ${locksAccountsFirst} ORDER BY key_id
    ON CONFLICT (key_id, day) DO UPDATE SET
      granted = ${granted},
      requests = u.requests + ${granted},
      minute = CASE WHEN ${isSameMinute} THEN u.minute ELSE excluded.minute END,
      minute_requests = ${minuteUsed} + ${granted},
      per_minute = excluded.per_minute,
      per_day = excluded.per_day,
      account_requests = excluded.account_requests,
      account_minute_requests = excluded.account_minute_requests,
      account_per_minute = excluded.account_per_minute,
      account_per_day = excluded.account_per_day,
      last_at = CASE WHEN ${granted} > 0 THEN excluded.last_at ELSE u.last_at END,
      previous_at = CASE WHEN ${granted} > 0 THEN u.last_at ELSE u.previous_at END,
      timed_requests = u.timed_requests + excluded.timed_requests,
      timed_ms = u.timed_ms + excluded.timed_ms
    RETURNING key_id, granted, requests, minute_requests, per_minute, per_day,
      account_requests, account_minute_requests, account_per_minute, account_per_day, previous_at`;
}

/** The default limits, for keys and accounts that have none of their own. */
export interface DefaultLimits {
  readonly key: Limits;
  readonly account: Limits;
}

/** The values for the placeholders of `admissionSql`, in order. */
export const admissionBindings = (
  batch: readonly KeyBatch[],
  { key, account }: DefaultLimits,
  day: number,
  minute: number,
): number[] => [
  ...batch.flatMap((request) => [
    request.keyId,
    request.requestCount,
    request.lastAtMs,
    request.timedRequests,
    request.timedMs,
  ]),
  day,
  minute,
  ...[key.perMinute, key.perDay, account.perMinute, account.perDay].map((limit) => limit ?? NO_LIMIT),
];

const limitFrom = (column: number) => (column === NO_LIMIT ? null : column);

/** The limits that apply to a key, and its usage, from a result row. */
export const allowanceOfKey = (row: KeyBatchRow): Allowance => ({
  limits: { perMinute: limitFrom(row.per_minute), perDay: limitFrom(row.per_day) },
  minuteRequests: row.minute_requests,
  dayRequests: row.requests,
});

/** The limits and usage of all keys of the account together; undefined if the account has no limit. */
export const allowanceOfAccount = (row: KeyBatchRow): Allowance | undefined =>
  row.account_requests === null || row.account_minute_requests === null
    ? undefined
    : {
        limits: { perMinute: limitFrom(row.account_per_minute), perDay: limitFrom(row.account_per_day) },
        minuteRequests: row.account_minute_requests,
        dayRequests: row.account_requests,
      };

/** Returns a function that counts batches in the database with prepared statements, one for each number of keys. */
export function countBatchIn(
  queries: PreparedQueries,
  dialect: Dialect,
  defaults: DefaultLimits,
): CountBatch {
  const sqlOf = new Map<number, string>();
  const sqlFor = (keys: number) => {
    let sql = sqlOf.get(keys);
    if (sql === undefined) {
      sql = admissionSql(keys, dialect);
      sqlOf.set(keys, sql);
    }
    return sql;
  };

  return (batch, day, minute) =>
    queries.all<KeyBatchRow>(sqlFor(batch.length), admissionBindings(batch, defaults, day, minute));
}
