import type { Clock } from '../platform/clock.js';
import { minuteOf } from './rate-limit.js';
import { type EndedRequest, type Outcome, outcomeOf } from './recorded-request.js';
import { placeOfTime, TIME_PLACES } from './response-times.js';

/** So many of a key are kept in the log. */
export const MAX_LOGGED_OF_KEY = 1_000;
/** Of all keys between two writes: more is left out of the log, and counted all the same. */
const MAX_LOGGED = 20_000;
/** Past it, while nothing can be stored, what is new is not counted either. */
const MAX_COUNTS = 50_000;

/** The last requests of a key, oldest first, as they came, with the time at which each ended: nothing is made of them before they are stored. */
export interface EndedRequests {
  readonly requests: EndedRequest[];
  readonly times: number[];
}

/** The requests of one key and operation that ended alike within a minute. */
export interface CountedMinute {
  readonly keyId: number;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly minute: number;
  requests: number;
  readonly places: number[];
}

/** What was recorded and is not stored yet. */
export class PendingRecords {
  readonly counts = new Map<string, CountedMinute>();
  readonly logs = new Map<number, EndedRequests>();
  private logged = 0;

  constructor(private readonly clock: Clock) {}

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  add(request: EndedRequest): void {
    const { keyId, operation, elapsedMs } = request;
    const atMs = this.clock();
    const outcome = outcomeOf(request);
    const counted = this.counted(keyId, operation, outcome, minuteOf(atMs));
    if (counted === undefined) return;
    const place = placeOfTime(elapsedMs);
    counted.requests += 1;
    counted.places[place] = (counted.places[place] ?? 0) + 1;
    if (this.logged >= MAX_LOGGED) return;
    this.logged += 1;
    let log = this.logs.get(keyId);
    if (log === undefined) {
      log = { requests: [], times: [] };
      this.logs.set(keyId, log);
    }
    log.requests.push(request);
    if (log.times.push(atMs) < 2 * MAX_LOGGED_OF_KEY) return;
    for (const list of [log.requests, log.times]) list.splice(0, MAX_LOGGED_OF_KEY);
    this.logged -= MAX_LOGGED_OF_KEY;
  }

  /** Takes the counts back that could not be stored. */
  addCounts(counts: Iterable<CountedMinute>): void {
    for (const { keyId, operation, outcome, minute, requests, places } of counts) {
      const counted = this.counted(keyId, operation, outcome, minute);
      if (counted === undefined) return;
      counted.requests += requests;
      for (const [place, count] of places.entries())
        counted.places[place] = (counted.places[place] ?? 0) + count;
    }
  }

  private counted(keyId: number, operation: string, outcome: Outcome, minute: number) {
    const name = `${keyId} ${operation} ${outcome} ${minute}`;
    let counted = this.counts.get(name);
    if (counted === undefined && this.counts.size < MAX_COUNTS) {
      const places = Array<number>(TIME_PLACES).fill(0);
      counted = { keyId, operation, outcome, minute, requests: 0, places };
      this.counts.set(name, counted);
    }
    return counted;
  }
}
