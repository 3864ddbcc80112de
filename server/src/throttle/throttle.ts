import { formatDuration } from '@signpost/contract';
import { z } from 'zod';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { HOUR_MS } from '../platform/time-units.js';
import { type Database, dialectOf } from '../storage/storage.js';
import type { TriesRow } from '../storage/rows.js';
import { addressSubject } from './address-subject.js';

export { addressSubject };

const CLEAN_INTERVAL_MS = HOUR_MS;
/** How long to keep expired rows, in case the clock ran ahead and is set back. */
const KEEP_EXPIRED_MS = 24 * HOUR_MS;

/** How many tries are allowed in any window of `windowMs`. */
export interface Budget {
  /** What is counted: an action and the person or address that does it, at most 400 characters. */
  readonly subject: string;
  readonly maxTries: number;
  readonly windowMs: number;
  /** The sentence with which the error begins if the budget is used up; if left out, "There were too many tries." */
  readonly usedUp?: string;
}

/** A counted try, identified by the timestamp under which it was stored for each subject. */
export type CountedTry = ReadonlyMap<string, number>;

/** Counts tries in the database, so that they are counted across all of its servers and across restarts. */
export interface Throttle {
  /**
   * Throws the ServiceError of `take` if a budget is used up, but counts nothing. Call it first if other work must come
   * before `take`.
   */
  peek(budgets: readonly Budget[]): Promise<void>;
  /**
   * Counts one try on each of the budgets. If one of them is used up, counts none and throws a ServiceError
   * `rateLimited` that says how long to wait. Call it before the throttled work, so that concurrent tries cannot exceed
   * the budgets.
   */
  take(budgets: readonly Budget[]): Promise<CountedTry>;
  /** Removes a try that should not count. */
  release(countedTry: CountedTry): Promise<void>;
  /** Removes all tries of these subjects. */
  forget(subjects: readonly string[]): Promise<void>;
  /** Converts an address to the part of a subject that stands for it. */
  readonly addressSubject: (ip: string | null) => string;
}

interface ThrottleDeps {
  readonly db: Database;
  readonly clock: Clock;
}

type Times = readonly number[];
type TimesBySubject = ReadonlyMap<string, Times>;

const timesSchema = z.array(z.number());

const timesBySubject = (rows: readonly Pick<TriesRow, 'subject' | 'times'>[]): TimesBySubject =>
  new Map(rows.map(({ subject, times }) => [subject, timesSchema.parse(JSON.parse(times))]));

const tries = (db: Database) => db<TriesRow>('tries');

/** All transactions lock the subjects in this order, so that they do not deadlock. */
const sortedSubjects = (subjects: Iterable<string>) => [...new Set(subjects)].sort();

/**
 * Locks the rows of the subjects until the transaction ends, creates missing ones, and returns the tries in them. Must
 * come first in a transaction. A plain SELECT instead would not wait for other transactions on PostgreSQL; on SQLite,
 * a write after it would fail if others wrote in between.
 */
async function lockTimes(transaction: Database, subjects: Iterable<string>): Promise<TimesBySubject> {
  const rows = sortedSubjects(subjects).map((subject) => ({ subject, times: '[]', expires_at: 0 }));
  return timesBySubject(
    await tries(transaction)
      .insert(rows)
      .onConflict('subject')
      .merge(['subject'])
      .returning(['subject', 'times']),
  );
}

/**
 * The times of the tries that still count. A time in the future, for example after the clock was set back, counts too,
 * unless it is so far ahead that it would count for longer than two windows.
 */
const countingTimes = ({ subject, windowMs }: Budget, times: TimesBySubject, nowMs: number): Times =>
  (times.get(subject) ?? []).filter((time) => time > nowMs - windowMs && time <= nowMs + windowMs);

/** Milliseconds until a budget has a try left; 0 if it has one now. */
function waitMs(budget: Budget, times: TimesBySubject, nowMs: number): number {
  const blockingMs = countingTimes(budget, times, nowMs).at(-budget.maxTries);
  return blockingMs === undefined ? 0 : blockingMs + budget.windowMs - nowMs;
}

function rejectIfUsedUp(budgets: readonly Budget[], times: TimesBySubject, nowMs: number): void {
  const [longest] = budgets
    .map((budget) => ({ budget, ms: waitMs(budget, times, nowMs) }))
    .toSorted((one, other) => other.ms - one.ms);
  if (longest === undefined || longest.ms === 0) return;
  const retryAfterSeconds = Math.ceil(longest.ms / 1_000);
  const usedUp = longest.budget.usedUp ?? 'There were too many tries.';
  throw new ServiceError('rateLimited', `${usedUp} Try again in ${formatDuration(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  });
}

/**
 * The row of a budget with one more try, and the time of that try, which is never earlier than the last one, because
 * the clocks of servers differ a little.
 */
function rowWithTry(budget: Budget, times: TimesBySubject, nowMs: number) {
  const counting = countingTimes(budget, times, nowMs);
  const atMs = Math.max(nowMs, counting.at(-1) ?? nowMs);
  const row: TriesRow = {
    subject: budget.subject,
    times: JSON.stringify([...counting, atMs]),
    expires_at: atMs + budget.windowMs,
  };
  return { row, atMs };
}

function withoutTime(times: Times, time: number): Times {
  const index = times.lastIndexOf(time);
  return index === -1 ? times : times.toSpliced(index, 1);
}

/** Creates a throttle on the `tries` table. */
export function createThrottle({ db, clock }: ThrottleDeps): Throttle {
  let cleanAtMs = 0;

  const cleanNowAndThen = async (nowMs: number) => {
    if (nowMs < cleanAtMs) return;
    cleanAtMs = nowMs + CLEAN_INTERVAL_MS;
    const expired = tries(db).where('expires_at', '<=', nowMs - KEEP_EXPIRED_MS);
    if (dialectOf(db) === 'sqlite') await expired.delete();
    else await tries(db).whereIn('subject', expired.select('subject').forUpdate().skipLocked()).delete();
  };

  const peek = async (budgets: readonly Budget[]) => {
    const subjects = budgets.map(({ subject }) => subject);
    rejectIfUsedUp(budgets, timesBySubject(await tries(db).whereIn('subject', subjects)), clock());
  };

  return {
    addressSubject,
    peek,

    async take(budgets) {
      await cleanNowAndThen(clock());
      const bySubject = new Map(budgets.map((budget) => [budget.subject, budget]));
      const uniqueBudgets = [...bySubject.values()];
      const subjects = [...bySubject.keys()];
      // The budgets are checked without a lock first: a used-up one then needs neither a write nor a wait for a lock.
      await peek(uniqueBudgets);
      return db.transaction(async (transaction) => {
        const times = await lockTimes(transaction, subjects);
        // The clock is read again, because waiting for the lock took time.
        const lockedMs = clock();
        rejectIfUsedUp(uniqueBudgets, times, lockedMs);
        const rowsWithTry = uniqueBudgets.map((budget) => rowWithTry(budget, times, lockedMs));
        await tries(transaction)
          .insert(rowsWithTry.map(({ row }) => row))
          .onConflict('subject')
          .merge();
        return new Map(rowsWithTry.map(({ row, atMs }) => [row.subject, atMs]));
      });
    },

    async release(countedTry) {
      await db.transaction(async (transaction) => {
        const times = await lockTimes(transaction, countedTry.keys());
        for (const [subject, time] of countedTry) {
          const remaining = withoutTime(times.get(subject) ?? [], time);
          await tries(transaction)
            .where({ subject })
            .update({ times: JSON.stringify(remaining) });
        }
      });
    },

    async forget(subjects) {
      await tries(db).whereIn('subject', subjects).delete();
    },
  };
}
