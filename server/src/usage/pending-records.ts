import type { Clock } from '../platform/clock.js';
import { minuteOf } from './rate-limit.js';
import { type FinishedRequest, LOGGED_OF_KEY, type Outcome, outcomeOf } from './recorded-request.js';
import { timeRangeIndex, TIME_RANGES } from './response-times.js';

/**
 * How many requests of one outcome, of all keys together, may wait to be logged. Further ones are counted but not
 * logged.
 */
const MAX_LOGGED = 20_000;
/**
 * How many counts may wait to be stored. A request that would need a further one is left out of the usage history and
 * of the log.
 */
const MAX_COUNTS = 50_000;

/** The latest requests of a key with one outcome, oldest first, with the time at which each ended. */
export interface PendingLog {
  readonly keyId: number;
  readonly outcome: Outcome;
  readonly requests: FinishedRequest[];
  readonly times: number[];
}

/** The requests of one key and operation that had the same outcome in one minute. */
export interface CountedMinute {
  readonly keyId: number;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly minute: number;
  requests: number;
  readonly timeCounts: number[];
}

/** Records that are not stored yet. */
export class PendingRecords {
  readonly counts = new Map<string, CountedMinute>();
  readonly logs = new Map<string, PendingLog>();
  readonly #clock: Clock;
  readonly #logged: Record<Outcome, number> = { '2xx': 0, '4xx': 0, '5xx': 0, refused: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  add(request: FinishedRequest): void {
    const { keyId, operation, elapsedMs } = request;
    const atMs = this.#clock();
    const outcome = outcomeOf(request);
    const minuteCounts = this.#minuteCounts(keyId, operation, outcome, minuteOf(atMs));
    if (minuteCounts === undefined) return;
    const range = timeRangeIndex(elapsedMs);
    minuteCounts.requests += 1;
    minuteCounts.timeCounts[range] = (minuteCounts.timeCounts[range] ?? 0) + 1;
    this.#log(request, outcome, atMs);
  }

  /** Puts back counts that could not be stored. Drops those for which there is no more room. */
  addCounts(counts: Iterable<CountedMinute>): void {
    for (const { keyId, operation, outcome, minute, requests, timeCounts } of counts) {
      const minuteCounts = this.#minuteCounts(keyId, operation, outcome, minute);
      if (minuteCounts === undefined) continue;
      minuteCounts.requests += requests;
      for (const [range, count] of timeCounts.entries())
        minuteCounts.timeCounts[range] = (minuteCounts.timeCounts[range] ?? 0) + count;
    }
  }

  #minuteCounts(keyId: number, operation: string, outcome: Outcome, minute: number) {
    const name = `${keyId} ${operation} ${outcome} ${minute}`;
    let minuteCounts = this.counts.get(name);
    if (minuteCounts === undefined && this.counts.size < MAX_COUNTS) {
      const timeCounts = Array<number>(TIME_RANGES).fill(0);
      minuteCounts = { keyId, operation, outcome, minute, requests: 0, timeCounts };
      this.counts.set(name, minuteCounts);
    }
    return minuteCounts;
  }

  /**
   * Queues a request for the log, unless MAX_LOGGED requests of its outcome wait already. The maximum is per outcome,
   * so that many successes keep no failure out. If twice as many requests of a key and outcome wait as the log keeps,
   * drops the older half.
   */
  #log(request: FinishedRequest, outcome: Outcome, atMs: number): void {
    if (this.#logged[outcome] >= MAX_LOGGED) return;
    this.#logged[outcome] += 1;
    const name = `${request.keyId} ${outcome}`;
    let log = this.logs.get(name);
    if (log === undefined) {
      log = { keyId: request.keyId, outcome, requests: [], times: [] };
      this.logs.set(name, log);
    }
    log.requests.push(request);
    const maxLogged = LOGGED_OF_KEY[outcome];
    if (log.times.push(atMs) < 2 * maxLogged) return;
    for (const list of [log.requests, log.times]) list.splice(0, maxLogged);
    this.#logged[outcome] -= maxLogged;
  }
}
