import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Clock } from '../platform/clock.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { createTimeSortedIds } from '../platform/time-sorted-ids.js';
import { DAY_MINUTES, HOUR_MINUTES } from '../platform/time-units.js';
import type { Dialect, PreparedQueries } from '../storage/storage.js';
import { type CountedMinute, type PendingLog, PendingRecords } from './pending-records.js';
import { addCountsSql, addLogSql, pruneLogSql, sumCountsSql } from './record-statements.js';
import { ALL_KEYS, type FinishedRequest, LOGGED_OF_KEY, logEntry } from './recorded-request.js';

/**
 * How many counts, or logs of keys, one statement writes at most. Admissions use the same connection and wait for a
 * running statement: a few milliseconds. A single statement for 10,000 keys took 400 ms.
 */
const KEYS_PER_STATEMENT = 128;
/** How many keys one statement sums at most: few, because it reads up to 60 rows per key, operation and outcome. */
const SUMMED_PER_STATEMENT = 48;
const PRUNED_PER_STATEMENT = 8;
/**
 * For how many keys the log is pruned by one call of `store`. Other keys wait for the next call. After a start, all
 * keys in use may need pruning.
 */
const PRUNED_PER_ROUND = 64;

const RANDOM_CHARACTERS = 8;

type Task = 'store' | 'sum';

interface RequestRecorderDeps {
  readonly queries: Pick<PreparedQueries, 'all'>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** Called when storing or summing begins to fail. */
  readonly onFailure: (error: unknown) => void;
}

function* portionsOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The rows to store for counted minutes: those of each key, and their sums as rows of all keys together. */
function minuteRows(minutes: readonly CountedMinute[]): unknown[] {
  const together = new Map<string, CountedMinute>();
  for (const { operation, outcome, minute, requests, timeCounts } of minutes) {
    const name = `${operation} ${outcome} ${minute}`;
    const sum = together.get(name);
    if (sum === undefined)
      together.set(name, {
        keyId: ALL_KEYS,
        operation,
        outcome,
        minute,
        requests,
        timeCounts: [...timeCounts],
      });
    else {
      sum.requests += requests;
      for (const [range, count] of timeCounts.entries())
        sum.timeCounts[range] = (sum.timeCounts[range] ?? 0) + count;
    }
  }
  return [...minutes, ...together.values()].map(
    ({ keyId, operation, outcome, minute, requests, timeCounts }) => [
      1,
      minute,
      keyId,
      operation,
      outcome,
      requests,
      ...timeCounts,
    ],
  );
}

/** The start minutes of the shorter spans of `partMinutes` in a longer one of `spanMinutes`. */
const startsIn = (start: number, spanMinutes: number, partMinutes: number) =>
  Array.from({ length: spanMinutes / partMinutes }, (_, part) => start + part * partMinutes);

/**
 * Records the outcomes of requests: counts, and a log of each key's latest requests. `record` only collects them in
 * memory; call `store` every second to write them. Counts are stored by minute; `sum` brings the hours and days up to
 * date.
 */
export class RequestRecorder {
  readonly #deps: RequestRecorderDeps;
  #pending: PendingRecords;
  #work: Promise<unknown> = Promise.resolve();
  readonly #failing = new Set<Task>();
  /** The keys whose counts of an hour have changed since they were last summed, by the first minute of that hour. */
  readonly #unsummed = new Map<number, Set<number>>();
  /**
   * By key and outcome: how many requests were logged since such requests last made the recorder choose the key for
   * pruning.
   */
  readonly #loggedSince = new Map<string, number>();
  readonly #toPrune = new Set<number>();
  readonly #nextId: (atMs: number) => string;

  constructor(deps: RequestRecorderDeps) {
    this.#deps = deps;
    this.#pending = new PendingRecords(deps.clock);
    const server = randomCharacters(deps.randomBytes, BASE62, RANDOM_CHARACTERS);
    this.#nextId = createTimeSortedIds(() => server);
  }

  record(request: FinishedRequest): void {
    this.#pending.add(request);
  }

  /**
   * Stores the pending records and prunes the log; returns whether that succeeded. After a failure, the next call tries
   * again to store the counts, but log entries that were not stored yet are lost.
   */
  store(): Promise<boolean> {
    return this.#next('store', () => this.#store());
  }

  /** Brings hours and days up to date; returns whether that succeeded. */
  sum(): Promise<boolean> {
    return this.#next('sum', () => this.#sum());
  }

  /** Stores and sums. Resolves after the attempt, even if it failed. */
  async flush(): Promise<void> {
    await this.store();
    await this.sum();
  }

  /** Makes the next sum include these keys' stored minutes of an hour. `hour` is its first minute since the epoch. */
  addUnsummed(hour: number, keyIds: Iterable<number>): void {
    const unsummedKeys = this.#unsummed.get(hour) ?? new Set();
    for (const keyId of keyIds) unsummedKeys.add(keyId);
    this.#unsummed.set(hour, unsummedKeys);
  }

  /**
   * Runs tasks one after the other. Reports only the first failure of a task until it has succeeded, and no failure to
   * sum while storing fails.
   */
  #next(task: Task, work: () => Promise<void>): Promise<boolean> {
    const run = async () => {
      try {
        await work();
        return true;
      } catch (error) {
        if (!this.#failing.has(task) && !this.#failing.has('store')) {
          this.#failing.add(task);
          this.#deps.onFailure(error);
        }
        return false;
      }
    };
    const done = this.#work.then(run);
    this.#work = done;
    return done;
  }

  async #store(): Promise<void> {
    if (this.#pending.isEmpty && this.#toPrune.size === 0) return;
    const { counts, logs } = this.#pending;
    this.#pending = new PendingRecords(this.#deps.clock);
    await this.#storeCounts([...counts.values()]);
    for (const portion of portionsOf([...logs.values()], KEYS_PER_STATEMENT))
      await this.#run(
        addLogSql,
        portion.map((log) => this.#logRow(log)),
      );
    await this.#prune();
    this.#failing.delete('store');
  }

  async #storeCounts(counts: readonly CountedMinute[]): Promise<void> {
    let stored = 0;
    try {
      for (const portion of portionsOf(counts, KEYS_PER_STATEMENT)) {
        await this.#run(addCountsSql, minuteRows(portion));
        stored += portion.length;
        for (const { minute, keyId } of portion)
          this.addUnsummed(minute - (minute % HOUR_MINUTES), [ALL_KEYS, keyId]);
      }
    } catch (error) {
      this.#pending.addCounts(counts.slice(stored));
      throw error;
    }
  }

  #logRow({ keyId, outcome, requests, times }: PendingLog): unknown[] {
    const maxLogged = LOGGED_OF_KEY[outcome];
    const atMs = times.at(-1) ?? 0;
    const last = requests
      .map((request, index) => ({ request, endedMs: times[index] ?? atMs }))
      .slice(-maxLogged);
    const entries = last.map(({ request, endedMs }) => logEntry(request, endedMs));
    const pages = last.map(({ request: { page = null } }) => page);
    this.#noteLogged(keyId, outcome, last.length);
    return [
      keyId,
      this.#nextId(atMs),
      atMs,
      last.length,
      entries,
      outcome,
      ...(pages.some((page) => page !== null) ? [pages] : []),
    ];
  }

  /**
   * Chooses a key for pruning when its first requests with an outcome are logged, because the stored log may be full,
   * and then each time more requests with the outcome were logged than the log keeps.
   */
  #noteLogged(keyId: number, outcome: PendingLog['outcome'], count: number): void {
    const name = `${keyId} ${outcome}`;
    const logged = (this.#loggedSince.get(name) ?? LOGGED_OF_KEY[outcome]) + count;
    const isFull = logged > LOGGED_OF_KEY[outcome];
    if (isFull) this.#toPrune.add(keyId);
    this.#loggedSince.set(name, isFull ? 0 : logged);
  }

  async #prune(): Promise<void> {
    const round = [...this.#toPrune].slice(0, PRUNED_PER_ROUND);
    for (const portion of portionsOf(round, PRUNED_PER_STATEMENT)) {
      await this.#run(
        pruneLogSql,
        portion.map((keyId) => [keyId]),
      );
      for (const keyId of portion) this.#toPrune.delete(keyId);
    }
  }

  async #sum(): Promise<void> {
    if (this.#unsummed.size === 0) return;
    for (const [hour, keys] of [...this.#unsummed]) {
      this.#unsummed.delete(hour);
      const day = hour - (hour % DAY_MINUTES);
      const remaining = [...keys];
      try {
        while (remaining.length > 0) {
          const portion = remaining.slice(0, SUMMED_PER_STATEMENT);
          await this.#runSum(HOUR_MINUTES, hour, 1, portion);
          await this.#runSum(DAY_MINUTES, day, HOUR_MINUTES, portion);
          remaining.splice(0, portion.length);
        }
      } finally {
        if (remaining.length > 0) this.addUnsummed(hour, remaining);
      }
    }
    this.#failing.delete('sum');
  }

  async #runSum(span: number, start: number, part: number, keys: readonly number[]): Promise<void> {
    const { queries, dialect } = this.#deps;
    const starts = JSON.stringify(startsIn(start, span, part));
    await letOthersRun();
    await queries.all(sumCountsSql(dialect), [span, start, JSON.stringify(keys), starts, part]);
  }

  async #run(sql: (dialect: Dialect) => string, rows: readonly unknown[]): Promise<void> {
    const { queries, dialect } = this.#deps;
    await letOthersRun();
    await queries.all(sql(dialect), [JSON.stringify(rows)]);
  }
}
