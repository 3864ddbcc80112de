import type { Clock } from '../platform/clock.js';
import type { Database } from '../storage/storage.js';
import { minuteOf } from './rate-limit.js';

/** A clock may be set back by a day, from a day ahead, and over midnight. */
const KEPT_MINUTES = 3 * 1_440;
const REMOVE_INTERVAL_MS = 3_600_000;

/** Removes what keys used of minutes that no clock will be set back to. */
export async function removeOldMinutes(db: Database, nowMs: number): Promise<void> {
  await db('usage_minutes')
    .where('minute', '<', minuteOf(nowMs) - KEPT_MINUTES)
    .delete();
}

/** Does so every hour until it is stopped. */
export function keepMinuteHistoryShort(
  db: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): { stop(): void } {
  const timer = setInterval(() => {
    removeOldMinutes(db, clock()).catch(onError);
  }, REMOVE_INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
