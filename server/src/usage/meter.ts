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

/** Gets the admission, undefined for a key that is unknown or may not be used, or the error that prevented counting. */
export type AdmissionCallback = (error: ServiceError | null, admission: Admission | undefined) => void;

/** With 32 connections this gave the most requests per second of those tried, from 1 to all. */
const ANSWERS_PER_TURN = 16;

/** A statement of more keys would be prepared anew for ever more numbers of them. */
const MAX_KEYS_PER_BATCH = 64;

interface Waiting {
  readonly atMs: number;
  readonly done: AdmissionCallback;
}

interface PendingKey {
  readonly waiting: Waiting[];
  /** Those who only ask how the key stands. */
  readonly asking: AdmissionCallback[];
  timedRequests: number;
  timedMs: number;
}

const emptyKey = (): PendingKey => ({ waiting: [], asking: [], timedRequests: 0, timedMs: 0 });

/**
 * Admits requests and counts them. Requests that come while the database is busy with a batch form the next one,
 * so that durability costs one transaction per batch and not per request.
 */
export class Meter {
  private pending = new Map<number, PendingKey>();
  private isScheduled = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly countBatch: CountBatch,
    private readonly clock: Clock,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Counts one request of a key; `done` is called once the count is durable. */
  admit(keyId: number, done: AdmissionCallback): void {
    this.key(keyId).waiting.push({ atMs: this.clock(), done });
    this.schedule();
  }

  /** Reads what is used of a key's limits without counting anything; undefined if the key may not be used. */
  standing(keyId: number): Promise<Admission | undefined> {
    return new Promise((resolve, reject) => {
      this.key(keyId).asking.push((error, admission) =>
        error === null ? resolve(admission) : reject(error),
      );
      this.schedule();
    });
  }

  /** Adds the time of an answer to the key's statistics; it is stored with the next batch. */
  addResponseTime(keyId: number, elapsedMs: number): void {
    const key = this.key(keyId);
    key.timedRequests += 1;
    key.timedMs += elapsedMs;
  }

  /** Stores what is pending; resolves when that was tried. */
  async flush(): Promise<void> {
    await this.running;
    const batches = Math.ceil(this.pending.size / MAX_KEYS_PER_BATCH);
    for (let batch = 0; batch < batches; batch += 1) await (this.running ?? this.run());
  }

  private key(keyId: number): PendingKey {
    let key = this.pending.get(keyId);
    if (key === undefined) {
      key = emptyKey();
      this.pending.set(keyId, key);
    }
    return key;
  }

  private schedule(): void {
    if (this.isScheduled || this.running !== undefined) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      if (this.running === undefined && this.hasWaiting()) void this.run();
    });
  }

  private hasWaiting(): boolean {
    for (const key of this.pending.values()) if (key.waiting.length + key.asking.length > 0) return true;
    return false;
  }

  private run(): Promise<void> {
    const keys = [...this.pending];
    const batch = new Map(keys.slice(0, MAX_KEYS_PER_BATCH));
    this.pending = new Map(keys.slice(MAX_KEYS_PER_BATCH));
    this.running = this.store(batch);
    return this.running;
  }

  private async store(batch: Map<number, PendingKey>): Promise<void> {
    const nowMs = this.clock();
    const day = dayOf(nowMs);
    let rows: readonly KeyBatchRow[];
    try {
      rows = await this.countBatch(keyBatches(batch, nowMs), day, minuteOf(nowMs));
    } catch (error) {
      this.running = undefined;
      this.onFailure(error);
      this.refuse(batch, error);
      this.schedule();
      return;
    }
    this.running = undefined;
    // The next batch is stored while this one is answered, or the database would wait for the answers.
    if (this.hasWaiting()) void this.run();
    const rowOf = new Map(rows.map((row) => [row.key_id, row]));
    const answers: Answer[] = [];
    for (const [keyId, { waiting, asking }] of batch) {
      const row = rowOf.get(keyId);
      addAnswers(answers, waiting, row, nowMs, day);
      for (const done of asking)
        answers.push({ done, admission: row && admissionOf(row, false, 0, nowMs, day, row.previous_at) });
    }
    deliver(answers);
  }

  private refuse(batch: Map<number, PendingKey>, cause: unknown): void {
    const refusal = new ServiceError(
      'overloaded',
      'The server cannot count requests at the moment. Try again.',
      {
        retryAfterSeconds: 5,
        cause,
      },
    );
    for (const [keyId, { waiting, asking, timedRequests, timedMs }] of batch) {
      const key = this.key(keyId);
      key.timedRequests += timedRequests;
      key.timedMs += timedMs;
      for (const { done } of waiting) done(refusal, undefined);
      for (const done of asking) done(refusal, undefined);
    }
  }
}

const keyBatches = (batch: Map<number, PendingKey>, nowMs: number): KeyBatch[] =>
  Array.from(batch, ([keyId, key]) => ({
    keyId,
    wanted: key.waiting.length,
    lastAtMs: key.waiting[0]?.atMs ?? nowMs,
    timedRequests: key.timedRequests,
    timedMs: key.timedMs,
  }));

interface Answer {
  readonly done: AdmissionCallback;
  /** Undefined where the key is unknown or may not be used. */
  readonly admission: Admission | undefined;
}

/** How things stood before the last ones of those that were granted together. */
const before = ({ limits, minuteRequests, dayRequests }: Allowance, later: number): Allowance => ({
  limits,
  minuteRequests: minuteRequests - later,
  dayRequests: dayRequests - later,
});

/** How a key stands after its batch, without the last ones of those that were granted together. */
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
    ...before(allowanceOfKey(row), later),
    account: ofAccount === undefined ? undefined : before(ofAccount, later),
    timeMs,
    day,
    previousAtMs,
  };
}

/** Hands the granted places of a key out in the order in which its requests came. */
function addAnswers(
  answers: Answer[],
  waiting: readonly Waiting[],
  row: KeyBatchRow | undefined,
  timeMs: number,
  day: number,
): void {
  if (row === undefined) {
    for (const { done } of waiting) answers.push({ done, admission: undefined });
    return;
  }
  let previousAtMs = row.previous_at;
  for (const [index, { done, atMs }] of waiting.entries()) {
    const isGranted = index < row.granted;
    const later = isGranted ? row.granted - index - 1 : 0;
    answers.push({ done, admission: admissionOf(row, isGranted, later, timeMs, day, previousAtMs) });
    previousAtMs = atMs;
  }
}

/** Answers some per turn of the event loop, so that the end of the next batch is seen in between. */
function deliver(answers: readonly Answer[], start = 0): void {
  const end = start + ANSWERS_PER_TURN;
  for (const { done, admission } of answers.slice(start, end)) done(null, admission);
  if (end < answers.length) setImmediate(() => deliver(answers, end));
}
