import { DAY_MS } from '../platform/time-units.js';
import { keyRevokedOrEndsAt } from '../storage/key-life.js';
import type { Dialect } from '../storage/storage.js';

/** Represents no limit where a number is needed: the largest value of a 32-bit column. */
export const NO_LIMIT = 2_147_483_647;

/** The names of the SQL functions that return the smallest and the greatest of some values. */
export const functionsOf = (dialect: Dialect): readonly [least: string, greatest: string] =>
  dialect === 'sqlite' ? ['MIN', 'MAX'] : ['LEAST', 'GREATEST'];

/**
 * SQL condition: the minute of a request is the last minute of a row or the minute before it. Both count as the row's
 * last minute, because the clocks of servers differ slightly.
 */
export const countsToLast = (minute: string, row: string) =>
  `${minute} IN (${row}.minute, ${row}.minute - 1)`;

/** SQL condition for a row of `live`, the working keys of a batch: the account of the key has a limit. */
export const IS_CAPPED = `(account_per_minute < ${NO_LIMIT} OR account_per_day < ${NO_LIMIT})`;

/**
 * Keys that ended more than this many days before today are left out of today's usage. The margin is for clocks that
 * were set back.
 */
const ENDED_DAYS_AGO = 3;

/**
 * SQL query, by database engine: for each account with a limit that has a key in the batch, the usage of its keys today
 * and in the minute of the batch. On PostgreSQL, it makes other servers that count for the same accounts wait.
 */
const keyUsageSql = {
  sqlite: `
      SELECT c.account_id, c.minute AS request_minute, u.key_id, u.requests, u.minute, u.minute_requests,
        COALESCE(m.requests, 0) AS earlier_requests
      FROM capped c
      JOIN projects p ON p.account_id = c.account_id
      JOIN api_keys k ON k.project_id = p.id AND ${keyRevokedOrEndsAt('k')} >= c.since
      JOIN usage_days u ON u.key_id = k.id AND u.day = c.day
      LEFT JOIN usage_minutes m ON m.key_id = u.key_id AND m.minute = c.minute`,
  postgresql: `
      SELECT c.account_id, c.minute AS request_minute, u.*
      FROM capped c, LATERAL used_by_account(c.account_id, c.day, c.minute, c.since) u`,
};

/**
 * The common table expressions, of which the last is `account_admissions`: for each key of `live` whose account has a
 * limit, the number of admitted requests and the account's usage after them. In order of arrival, each key gets what
 * its own limits allow until the account's limit is reached. An account's usage of a minute includes every request
 * admitted while a clock showed that minute, so that the limit is not available again if a clock is set back.
 */
export function accountAdmissionsSql(dialect: Dialect): string {
  const [least, greatest] = functionsOf(dialect);
  const isLastMinute = countsToLast('request_minute', 'key_usage');
  return `
    capped AS (
      SELECT DISTINCT account_id, day, minute, CAST(day - ${ENDED_DAYS_AGO} AS BIGINT) * ${DAY_MS} AS since
      FROM live WHERE ${IS_CAPPED} ORDER BY account_id
    ),
    key_usage AS (${keyUsageSql[dialect]}
    ),
    used AS (
      SELECT account_id, key_id, requests,
        CASE WHEN ${isLastMinute} THEN minute_requests ELSE earlier_requests END AS key_minute,
        CASE WHEN ${isLastMinute} THEN minute_requests ELSE 0 END +
          CASE WHEN request_minute = minute THEN 0 ELSE earlier_requests END AS account_minute
      FROM key_usage
    ),
    used_together AS (
      SELECT account_id, SUM(requests) AS requests, SUM(account_minute) AS minute_requests FROM used GROUP BY account_id
    ),
    allowances AS (
      SELECT live.key_id, live.account_id, last_at, account_per_minute, account_per_day,
        COALESCE(t.requests, 0) AS used_today, COALESCE(t.minute_requests, 0) AS used_this_minute,
        ${greatest}(0, ${least}(requested, per_minute - COALESCE(u.key_minute, 0), per_day - COALESCE(u.requests, 0)))
          AS key_admissible
      FROM live
      LEFT JOIN used u ON u.key_id = live.key_id
      LEFT JOIN used_together t ON t.account_id = live.account_id
      WHERE ${IS_CAPPED}
    ),
    queue AS (
      SELECT allowances.*, SUM(key_admissible) OVER (PARTITION BY account_id ORDER BY last_at, key_id) AS taken,
        ${greatest}(0, ${least}(account_per_minute - used_this_minute, account_per_day - used_today)) AS account_remaining
      FROM allowances
    ),
    account_admissions AS MATERIALIZED (
      SELECT key_id, ${least}(account_remaining, taken) - ${least}(account_remaining, taken - key_admissible) AS granted,
        used_today + ${least}(account_remaining, taken) AS account_requests,
        used_this_minute + ${least}(account_remaining, taken) AS account_minute_requests
      FROM queue
    )`;
}
