import type { Dialect, PreparedQueries } from '../storage/storage.js';
import type { Limits } from './rate-limit.js';

/** One key's share of a batch. */
export interface KeyBatch {
  readonly keyId: number;
  /** How many requests ask to be admitted; 0 where there are only times to add. */
  readonly wanted: number;
  /** When the first of them came, which is granted if any is; milliseconds since the epoch. */
  readonly lastAtMs: number;
  /** Answers given since the last batch, and the sum of their times. */
  readonly timedRequests: number;
  readonly timedMs: number;
}

/** What the database answers for one key of a batch. A key that is unknown or revoked has no row. */
export interface KeyBatchRow {
  readonly key_id: number;
  readonly granted: number;
  readonly requests: number;
  readonly minute_requests: number;
  readonly per_minute: number;
  readonly per_day: number;
  readonly previous_at: number | null;
}

/** Durably counts a batch; answers a row for each live key of it. */
export type CountBatch = (
  batch: readonly KeyBatch[],
  day: number,
  minute: number,
) => Promise<readonly KeyBatchRow[]>;

/** Stands for no limit where a number is needed; the largest that a 32-bit column holds. */
const NO_LIMIT = 2_147_483_647;

const limitOf = (column: string) =>
  `CASE WHEN k.${column} IS NULL THEN CAST(? AS INTEGER) WHEN k.${column} < 0 THEN ${NO_LIMIT} ELSE k.${column} END`;

/**
 * The statement that admits a batch: it finds the live keys, counts minute and day up to the limits, adds the
 * response times and says how many requests of each key it granted. As one statement it is one transaction, and
 * the row lock of its conflict clause makes the limits exact however many servers run it at once; they lock the rows
 * in the same order. A clock that is set back comes upon minutes of which the history says what was used; the minute
 * before the last one counts to the last, since the clocks of servers differ a little.
 */
export function admissionSql(keys: number, dialect: Dialect): string {
  const [least, greatest] = dialect === 'sqlite' ? ['MIN', 'MAX'] : ['LEAST', 'GREATEST'];
  const asked = Array.from(
    { length: keys },
    () =>
      '(CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS INTEGER), CAST(? AS DOUBLE PRECISION))',
  ).join(', ');
  const isSameMinute = 'excluded.minute IN (u.minute, u.minute - 1)';
  const usedBefore =
    dialect === 'sqlite'
      ? `COALESCE((
    SELECT m.requests FROM usage_minutes m WHERE m.key_id = u.key_id AND m.minute = excluded.minute), 0)`
      : 'used_in_minute(u.key_id, excluded.minute)';
  const minuteUsed = `CASE WHEN ${isSameMinute} THEN u.minute_requests ELSE ${usedBefore} END`;
  const granted = `${greatest}(0, ${least}(excluded.granted, excluded.per_minute - (${minuteUsed}), excluded.per_day - u.requests))`;
  return `
    WITH asked (key_id, wanted, last_at, timed_requests, timed_ms) AS (VALUES ${asked}),
    live AS (
      SELECT asked.*, ${limitOf('per_minute')} AS per_minute, ${limitOf('per_day')} AS per_day
      FROM asked
      JOIN api_keys k ON k.id = asked.key_id
      JOIN projects p ON p.id = k.project_id
      JOIN accounts a ON a.id = p.account_id
      WHERE k.revoked_at IS NULL AND a.disabled_at IS NULL
    )
    INSERT INTO usage_days AS u
      (key_id, day, granted, requests, minute, minute_requests, per_minute, per_day,
       last_at, previous_at, timed_requests, timed_ms)
    SELECT key_id, CAST(? AS INTEGER), ${least}(wanted, per_minute, per_day), ${least}(wanted, per_minute, per_day),
      CAST(? AS INTEGER), ${least}(wanted, per_minute, per_day), per_minute, per_day,
      CASE WHEN ${least}(wanted, per_minute, per_day) > 0 THEN last_at END, NULL, timed_requests, timed_ms
    FROM live WHERE true ORDER BY key_id
    ON CONFLICT (key_id, day) DO UPDATE SET
      granted = ${granted},
      requests = u.requests + ${granted},
      minute = CASE WHEN ${isSameMinute} THEN u.minute ELSE excluded.minute END,
      minute_requests = ${minuteUsed} + ${granted},
      per_minute = excluded.per_minute,
      per_day = excluded.per_day,
      last_at = CASE WHEN ${granted} > 0 THEN excluded.last_at ELSE u.last_at END,
      previous_at = CASE WHEN ${granted} > 0 THEN u.last_at ELSE u.previous_at END,
      timed_requests = u.timed_requests + excluded.timed_requests,
      timed_ms = u.timed_ms + excluded.timed_ms
    RETURNING key_id, granted, requests, minute_requests, per_minute, per_day, previous_at`;
}

/** The values for the placeholders of `admissionSql`, in their order. */
export const admissionBindings = (
  batch: readonly KeyBatch[],
  defaults: Limits,
  day: number,
  minute: number,
): number[] => [
  ...batch.flatMap((key) => [key.keyId, key.wanted, key.lastAtMs, key.timedRequests, key.timedMs]),
  defaults.perMinute ?? NO_LIMIT,
  defaults.perDay ?? NO_LIMIT,
  day,
  minute,
];

/** The limits in force as the database answered them. */
export const limitsOfRow = (row: KeyBatchRow): Limits => ({
  perMinute: row.per_minute === NO_LIMIT ? null : row.per_minute,
  perDay: row.per_day === NO_LIMIT ? null : row.per_day,
});

/** Counts batches in the database through prepared statements, one for each number of keys. */
export function countBatchIn(queries: PreparedQueries, dialect: Dialect, defaults: Limits): CountBatch {
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
