import type { Clock } from '../clock.js';
import { ServiceError } from '../service-error.js';
import type { FailedAttemptsRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { addressSubject } from './address-subject.js';
import { waitInWords } from './wait-in-words.js';

export { addressSubject };

const dayMs = 86_400_000;
const CLEAN_EVERY_MS = dayMs / 24;

/** How often something may fail in a window of time. */
export interface Budget {
  /** What and whom it is for, at most 400 characters. */
  readonly subject: string;
  readonly maxFailures: number;
  /** At most a day; windows begin at its multiples since the epoch. */
  readonly windowMs: number;
}

/** Counts failures in the database, so that all servers on it and all restarts count as one. */
export interface Throttle {
  /** Throws a ServiceError `rateLimited` that says how long to wait where one of the budgets is used up. */
  check(budgets: readonly Budget[]): Promise<void>;
  /** Counts one failure on each of the budgets, in one statement. */
  fail(budgets: readonly Budget[]): Promise<void>;
  /** Takes back all that was counted on these subjects. */
  forget(subjects: readonly string[]): Promise<void>;
  /** The part of a subject that names an address. */
  readonly addressSubject: (ip: string) => string;
}

interface ThrottleParts {
  readonly db: Database;
  readonly clock: Clock;
}

const windowStart = ({ windowMs }: Budget, nowMs: number) => nowMs - (nowMs % windowMs);

/** In an order of its own, so that statements that lock the same rows do not wait for each other in a circle. */
const rowsFor = (budgets: readonly Budget[], nowMs: number): FailedAttemptsRow[] =>
  [...new Map(budgets.map((budget) => [budget.subject, budget])).values()]
    .map((budget) => ({ subject: budget.subject, window_start: windowStart(budget, nowMs), failures: 1 }))
    .sort((left, right) => (left.subject < right.subject ? -1 : 1));

/** Milliseconds until all budgets have something left again; 0 where they have. */
function waitMs(budgets: readonly Budget[], rows: readonly FailedAttemptsRow[], nowMs: number): number {
  const rowOf = new Map(rows.map((row) => [row.subject, row]));
  const waits = budgets.map((budget) => {
    const row = rowOf.get(budget.subject);
    // A window that begins in the future was counted before the clock was set back; it counts still.
    const isUsedUp =
      row !== undefined &&
      row.window_start >= windowStart(budget, nowMs) &&
      row.failures >= budget.maxFailures;
    return isUsedUp ? row.window_start + budget.windowMs - nowMs : 0;
  });
  return Math.max(0, ...waits);
}

/** A throttle over the table of failed attempts. */
export function createThrottle({ db, clock }: ThrottleParts): Throttle {
  const attempts = () => db<FailedAttemptsRow>('failed_attempts');
  let cleanAtMs = 0;

  const cleanNowAndThen = async (nowMs: number) => {
    if (nowMs < cleanAtMs) return;
    cleanAtMs = nowMs + CLEAN_EVERY_MS;
    await attempts()
      .where('window_start', '<=', nowMs - dayMs)
      .delete();
  };

  return {
    addressSubject,

    async check(budgets) {
      const nowMs = clock();
      const rows: FailedAttemptsRow[] = await attempts().whereIn(
        'subject',
        budgets.map(({ subject }) => subject),
      );
      const ms = waitMs(budgets, rows, nowMs);
      if (ms === 0) return;
      const retryAfterSeconds = Math.ceil(ms / 1_000);
      throw new ServiceError(
        'rateLimited',
        `There were too many tries. Try again in ${waitInWords(retryAfterSeconds)}.`,
        { retryAfterSeconds },
      );
    },

    async fail(budgets) {
      const nowMs = clock();
      await cleanNowAndThen(nowMs);
      const isSameWindow = 'failed_attempts.window_start >= excluded.window_start';
      await attempts()
        .insert(rowsFor(budgets, nowMs))
        .onConflict('subject')
        .merge({
          failures: db.raw(`CASE WHEN ${isSameWindow} THEN failed_attempts.failures + 1 ELSE 1 END`),
          window_start: db.raw(
            `CASE WHEN ${isSameWindow} THEN failed_attempts.window_start ELSE excluded.window_start END`,
          ),
        });
    },

    async forget(subjects) {
      await attempts().whereIn('subject', subjects).delete();
    },
  };
}
