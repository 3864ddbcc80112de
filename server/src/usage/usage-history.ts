import { LIMITS } from '@signpost/contract';
import { DAY_MINUTES, DAY_MS, HOUR_MINUTES } from '../platform/time-units.js';
import type { Database } from '../storage/storage.js';
import { minuteOf } from './rate-limit.js';

/**
 * How long the usage of each minute is kept: it counts towards that minute's limit again if a clock is set back. Three
 * days suffice for a clock that was wrong by a day.
 */
const KEPT_MINUTES = 3 * DAY_MINUTES;

/** How long counts by minute, hour and day are kept: at least as long as they are shown. */
const KEPT_COUNTS = [
  { span: 1, minutes: 2 * HOUR_MINUTES },
  { span: HOUR_MINUTES, minutes: 2 * DAY_MINUTES },
  { span: DAY_MINUTES, minutes: 92 * DAY_MINUTES },
];

/** For each hour that has counts by minute: its first minute, and the ids of the keys that have such counts in it. */
export async function readCountedHours(db: Database): Promise<Map<number, number[]>> {
  const rows = await db('usage_counts')
    .where({ span_minutes: 1 })
    .distinct<{ hour: number; key_id: number }[]>(
      db.raw(`start_minute - start_minute % ${HOUR_MINUTES} AS hour`),
      'key_id',
    );
  const keysOf = new Map<number, number[]>();
  for (const { hour, key_id: keyId } of rows) {
    const keys = keysOf.get(hour);
    if (keys === undefined) keysOf.set(hour, [keyId]);
    else keys.push(keyId);
  }
  return keysOf;
}

/** How long a request stays in the log at most: newer requests may push it out earlier. */
export const LOG_KEPT_MS = LIMITS.requestLog.days * DAY_MS;

/** Removes counts, logged requests and the usage of minutes that are older than they are kept. */
export async function removeOldUsage(db: Database, nowMs: number): Promise<void> {
  const minute = minuteOf(nowMs);
  await db('usage_minutes')
    .where('minute', '<', minute - KEPT_MINUTES)
    .delete();
  for (const { span, minutes } of KEPT_COUNTS) {
    await db('usage_counts')
      .where({ span_minutes: span })
      .where('start_minute', '<', minute - minutes)
      .delete();
  }
  await db('request_log')
    .where('at', '<', nowMs - LOG_KEPT_MS)
    .delete();
}
