import type { Clock } from '../platform/clock.js';
import type { Database } from '../storage/storage.js';
import { minuteOf } from './rate-limit.js';

const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;
/** A clock may be set back by a day, from a day ahead, and over midnight. */
const KEPT_MINUTES = 3 * DAY_MINUTES;
const REMOVE_INTERVAL_MS = 3_600_000;

/** How long counts by minute, hour and day are kept: somewhat longer than they are shown. */
const KEPT_COUNTS = [
  { span: 1, minutes: 2 * HOUR_MINUTES },
  { span: HOUR_MINUTES, minutes: 2 * DAY_MINUTES },
  { span: DAY_MINUTES, minutes: 92 * DAY_MINUTES },
];

/** How long a request stays in the log. */
export const LOG_KEPT_MS = 7 * 86_400_000;

/** Removes what keys used of minutes that no clock will be set back to, and counts and requests past their time. */
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

/** Does so every hour until it is stopped. */
export function keepUsageHistoryShort(
  db: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): { stop(): void } {
  const timer = setInterval(() => {
    removeOldUsage(db, clock()).catch(onError);
  }, REMOVE_INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
