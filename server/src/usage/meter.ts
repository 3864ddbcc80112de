import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { type Admission, type Allowance, dayOf, minuteOf } from './rate-limit.js';
import {
  allowanceOfAccount,
  allowanceOfKey,
  type CountBatch,
  type KeyBatch,
  type KeyBatchRow,
} from './admission-statement.js';

/**
 * How many callers get their result in one turn of the event loop. With 32 connections, this gave the most requests per
 * second of all values tried, from 1 to all.
 */
const RESULTS_PER_TURN = 16;

/** The number of keys in a batch is bounded, because each number needs a prepared statement of its own. */
const MAX_KEYS_PER_BATCH = 64;

/** A caller that waits for its batch. */
interface BatchCaller {
  readonly resolve: (admission: Admission | undefined) => void;
  readonly reject: (error: ServiceError) => void;
}

interface CountedCaller extends BatchCaller {
  readonly atMs: number;
}

interface PendingKey {
  readonly waiting: CountedCaller[];
  /** Callers that only read the key's usage, without counting a request. */
  readonly readers: BatchCaller[];
  timedRequests: number;
  timedMs: number;
}

const emptyKey = (): PendingKey => ({ waiting: [], readers: [], timedRequests: 0, timedMs: 0 });

/**
 * Admits requests and counts them. Requests that arrive while the database is busy with a batch form the next
 * one, so that durability costs one transaction per batch and not per request.
 */
export class Meter {
  #pending = new Map<number, PendingKey>();
  #isScheduled = false;
  #running: Promise<void> | undefined;
  readonly #countBatch: CountBatch;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;

  constructor(countBatch: CountBatch, clock: Clock, onFailure: (error: unknown) => void) {
    this.#countBatch = countBatch;
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  /**
   * Counts one request of a key if its limits and its account's allow it. Resolves once the count is durable;
   * `isGranted` says whether the request was counted. Undefined if the key may not be used. Rejects with a ServiceError
   * if nothing can be counted.
   */
  admit(keyId: number): Promise<Admission | undefined> {
    return new Promise((resolve, reject) => {
      this.#pendingKey(keyId).waiting.push({ atMs: this.#clock(), resolve, reject });
      this.#schedule();
    });
  }

  /**
   * Reads a key's limits and usage without counting a request; undefined if the key may not be used. Rejects with a
   * ServiceError if the database cannot be used.
   */
  readUsage(keyId: number): Promise<Admission | undefined> {
    return new Promise((resolve, reject) => {
      this.#pendingKey(keyId).readers.push({ resolve, reject });
      this.#schedule();
    });
  }

  /** Adds a response time to the key's statistics. It is stored with a later batch, but starts none. */
  addResponseTime(keyId: number, elapsedMs: number): void {
    const key = this.#pendingKey(keyId);
    key.timedRequests += 1;
    key.timedMs += elapsedMs;
  }

  /** Stores pending counts and times. Resolves after the attempt, even if it failed. */
  async flush(): Promise<void> {
    await this.#running;
    const batches = Math.ceil(this.#pending.size / MAX_KEYS_PER_BATCH);
    for (let batch = 0; batch < batches; batch += 1) await (this.#running ?? this.#run());
  }

  #pendingKey(keyId: number): PendingKey {
    let key = this.#pending.get(keyId);
    if (key === undefined) {
      key = emptyKey();
      this.#pending.set(keyId, key);
    }
    return key;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running !== undefined) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#running === undefined && this.#hasWaiting()) void this.#run();
    });
  }

  #hasWaiting(): boolean {
    for (const key of this.#pending.values()) if (key.waiting.length + key.readers.length > 0) return true;
    return false;
  }

  #run(): Promise<void> {
    const keys = [...this.#pending];
    const batch = new Map(keys.slice(0, MAX_KEYS_PER_BATCH));
    this.#pending = new Map(keys.slice(MAX_KEYS_PER_BATCH));
    this.#running = this.#store(batch);
    return this.#running;
  }

  async #store(batch: Map<number, PendingKey>): Promise<void> {
    const nowMs = this.#clock();
    const day = dayOf(nowMs);
    let rows: readonly KeyBatchRow[];
    try {
      rows = await this.#countBatch(keyBatches(batch, nowMs), day, minuteOf(nowMs));
    } catch (error) {
      this.#running = undefined;
      this.#onFailure(error);
      this.#rejectBatch(batch, error);
      this.#schedule();
      return;
    }
    this.#running = undefined;
    // The next batch is started now, so that the database does not wait while responses are sent.
    if (this.#hasWaiting()) void this.#run();
    const rowOf = new Map(rows.map((row) => [row.key_id, row]));
    const results: CallerResult[] = [];
    for (const [keyId, { waiting, readers }] of batch) {
      const row = rowOf.get(keyId);
      addResults(results, waiting, row, nowMs, day);
      for (const { resolve } of readers)
        results.push({ resolve, admission: row && admissionOf(row, false, 0, nowMs, day, row.previous_at) });
    }
    resolveInChunks(results);
  }

  #rejectBatch(batch: Map<number, PendingKey>, cause: unknown): void {
    const rejection = new ServiceError(
      'overloaded',
      'The server cannot count requests at the moment. Try again.',
      {
        retryAfterSeconds: 5,
        cause,
      },
    );
    for (const [keyId, { waiting, readers, timedRequests, timedMs }] of batch) {
      const key = this.#pendingKey(keyId);
      key.timedRequests += timedRequests;
      key.timedMs += timedMs;
      for (const { reject } of [...waiting, ...readers]) reject(rejection);
    }
  }
}

const keyBatches = (batch: Map<number, PendingKey>, nowMs: number): KeyBatch[] =>
  Array.from(batch, ([keyId, key]) => ({
    keyId,
    requestCount: key.waiting.length,
    lastAtMs: key.waiting[0]?.atMs ?? nowMs,
    timedRequests: key.timedRequests,
    timedMs: key.timedMs,
  }));

interface CallerResult extends Pick<BatchCaller, 'resolve'> {
  /** Undefined if the key is unknown or may not be used. */
  readonly admission: Admission | undefined;
}

/** The usage before the last `later` requests of the batch were admitted. */
const usageBefore = ({ limits, minuteRequests, dayRequests }: Allowance, later: number): Allowance => ({
  limits,
  minuteRequests: minuteRequests - later,
  dayRequests: dayRequests - later,
});

/**
 * The outcome of one request of a batch, with the usage of its key and account before the `later` requests that were
 * admitted after it.
 */
function admissionOf(
  row: KeyBatchRow,
  isGranted: boolean,
  later: number,
  timeMs: number,
  day: number,
  previousAtMs: number | null,
): Admission {
  const ofAccount = allowanceOfAccount(row);
  return {
    keyId: row.key_id,
    isGranted,
    ...usageBefore(allowanceOfKey(row), later),
    account: ofAccount === undefined ? undefined : usageBefore(ofAccount, later),
    timeMs,
    day,
    previousAtMs,
  };
}

/** Distributes a key's admissions to its requests in the order of their arrival. */
function addResults(
  results: CallerResult[],
  waiting: readonly CountedCaller[],
  row: KeyBatchRow | undefined,
  timeMs: number,
  day: number,
): void {
  if (row === undefined) {
    for (const { resolve } of waiting) results.push({ resolve, admission: undefined });
    return;
  }
  let previousAtMs = row.previous_at;
  for (const [index, { resolve, atMs }] of waiting.entries()) {
    const isGranted = index < row.granted;
    const later = isGranted ? row.granted - index - 1 : 0;
    results.push({ resolve, admission: admissionOf(row, isGranted, later, timeMs, day, previousAtMs) });
    previousAtMs = atMs;
  }
}

/**
 * Gives callers their results, RESULTS_PER_TURN in each turn of the event loop, so that the server can notice in
 * between that the next batch has finished.
 */
function resolveInChunks(results: readonly CallerResult[], start = 0): void {
  const end = start + RESULTS_PER_TURN;
  for (const { resolve, admission } of results.slice(start, end)) resolve(admission);
  if (end < results.length) setImmediate(() => resolveInChunks(results, end));
}
