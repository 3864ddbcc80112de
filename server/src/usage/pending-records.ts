import type { Clock } from '../platform/clock.js';
import { minuteOf } from './rate-limit.js';
import { type EndedRequest, type Outcome, outcomeOf, storedWords } from './recorded-request.js';
import { placeOfTime, TIME_PLACES } from './response-times.js';

/** So many of a key are kept in the log. */
export const MAX_LOGGED_OF_KEY = 1_000;
/** Of all keys between two writes: more is left out of the log, and counted all the same. */
const MAX_LOGGED = 20_000;
/** Past it, while nothing can be stored, what is new is not counted either. */
const MAX_COUNTS = 50_000;

/** As it is stored; 0 stands for no refusal. */
export type LogEntry = readonly [
  atMs: number,
  operation: string,
  status: number,
  outcome: Outcome,
  elapsedMs: number,
  requestId: string,
  refusal: string | 0,
];

/** The requests of one key and operation that ended alike within a minute. */
export interface CountedMinute {
  readonly keyId: number;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly minute: number;
  requests: number;
  readonly places: number[];
}

const inTenths = (elapsedMs: number) => Math.round(elapsedMs * 10) / 10;

/** What was recorded and is not stored yet. */
export class PendingRecords {
  readonly counts = new Map<string, CountedMinute>();
  /** Oldest first. */
  readonly entries = new Map<number, LogEntry[]>();
  private logged = 0;

  constructor(private readonly clock: Clock) {}

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  add(request: EndedRequest): void {
    const { keyId, operation, status, elapsedMs, requestId, refusal } = request;
    const atMs = this.clock();
    const outcome = outcomeOf(request);
    const counted = this.counted(keyId, operation, outcome, minuteOf(atMs));
    if (counted === undefined) return;
    const place = placeOfTime(elapsedMs);
    counted.requests += 1;
    counted.places[place] = (counted.places[place] ?? 0) + 1;
    if (this.logged >= MAX_LOGGED) return;
    this.logged += 1;
    const words = refusal === undefined ? 0 : storedWords(refusal);
    const entry: LogEntry = [atMs, operation, status, outcome, inTenths(elapsedMs), requestId, words];
    const entries = this.entries.get(keyId);
    if (entries === undefined) this.entries.set(keyId, [entry]);
    else entries.push(entry);
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
