import type { Clock } from '../platform/clock.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import type { Dialect, PreparedQueries } from '../storage/storage.js';
import {
  type CountedMinute,
  type EndedRequests,
  MAX_LOGGED_OF_KEY,
  PendingRecords,
} from './pending-records.js';
import { addCountsSql, addLogSql, pruneLogSql } from './record-statements.js';
import { ALL_KEYS, type EndedRequest, logEntry } from './recorded-request.js';

/** Of a killed process so much is lost at most. */
const STORE_EVERY_MS = 1_000;
/** Minutes, hours and days. */
export const SPANS_MINUTES = [1, 60, 1_440] as const;

const BASE = 36;
const TIME_DIGITS = 9;
const COUNT_DIGITS = 4;
const MAX_COUNT = BASE ** COUNT_DIGITS;
const RANDOM_CHARACTERS = 8;

interface RequestRecorderDeps {
  readonly queries: Pick<PreparedQueries, 'all'>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** Hears once of each time in which nothing can be stored. */
  readonly onFailure: (error: unknown) => void;
}

/** The rows of the spans that counted minutes lie in, each once, of its key and of all keys together. */
function spanRows(minutes: Iterable<CountedMinute>): unknown[] {
  const rows = new Map<string, { head: readonly unknown[]; added: number[] }>();
  for (const { keyId, operation, outcome, minute, requests, places } of minutes) {
    const spans = SPANS_MINUTES.flatMap((span) => [keyId, ALL_KEYS].map((key) => ({ span, key })));
    for (const { span, key } of spans) {
      const head = [span, minute - (minute % span), key, operation, outcome];
      const name = head.join(' ');
      const added = [requests, ...places];
      const row = rows.get(name);
      rows.set(name, {
        head,
        added: row === undefined ? added : added.map((count, at) => count + (row.added[at] ?? 0)),
      });
    }
  }
  return Array.from(rows.values(), ({ head, added }) => [...head, ...added]);
}

/**
 * Records what became of requests: counts, and a log of the last of each key. They are gathered in memory and stored
 * together every second; no request waits for it.
 */
export class RequestRecorder {
  private pending: PendingRecords;
  private timer: NodeJS.Timeout | undefined;
  private storing = Promise.resolve();
  private isFailing = false;
  /** Requests that were logged since a key's log was last pruned; a key that is not in it may have too many. */
  private readonly loggedSince = new Map<number, number>();
  private rows = 0;
  /** Tells the rows of servers apart. */
  private readonly server: string;

  constructor(private readonly deps: RequestRecorderDeps) {
    this.pending = new PendingRecords(deps.clock);
    this.server = randomCharacters(deps.randomBytes, BASE62, RANDOM_CHARACTERS);
  }

  record(request: EndedRequest): void {
    this.pending.add(request);
    this.timer ??= setTimeout(() => void this.flush(), STORE_EVERY_MS).unref();
  }

  /** Stores what is pending; resolves when that was tried. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.storing = this.storing.then(() => this.store());
    return this.storing;
  }

  private async store(): Promise<void> {
    if (this.pending.isEmpty) return;
    const { counts, logs } = this.pending;
    this.pending = new PendingRecords(this.deps.clock);
    try {
      await this.run(addCountsSql, spanRows(counts.values()));
    } catch (error) {
      this.pending.addCounts(counts.values());
      this.failed(error);
      return;
    }
    try {
      await this.storeLog(logs);
      this.isFailing = false;
    } catch (error) {
      this.failed(error);
    }
  }

  private async storeLog(logs: ReadonlyMap<number, EndedRequests>): Promise<void> {
    const rows: unknown[] = [];
    const full: number[][] = [];
    for (const [keyId, { requests, times }] of logs) {
      const atMs = times.at(-1) ?? 0;
      const last = requests
        .map((request, place) => [request, times[place] ?? atMs] as const)
        .slice(-MAX_LOGGED_OF_KEY);
      const entries = last.map(([request, endedMs]) => logEntry(request, endedMs));
      const pages = last.map(([{ page = null }]) => page);
      const named = pages.some((page) => page !== null) ? [pages] : [];
      rows.push([keyId, this.nextId(atMs), atMs, last.length, entries, ...named]);
      const logged = (this.loggedSince.get(keyId) ?? MAX_LOGGED_OF_KEY) + last.length;
      if (logged > MAX_LOGGED_OF_KEY) full.push([keyId]);
      this.loggedSince.set(keyId, logged > MAX_LOGGED_OF_KEY ? 0 : logged);
    }
    if (rows.length > 0) await this.run(addLogSql, rows);
    if (full.length > 0) await this.run(pruneLogSql, full);
  }

  private async run(sql: (dialect: Dialect) => string, rows: readonly unknown[]): Promise<void> {
    const { queries, dialect } = this.deps;
    await queries.all(sql(dialect), [JSON.stringify(rows)]);
  }

  /** In the order of time and, of one server, of what came after the other. */
  private nextId(atMs: number): string {
    this.rows = (this.rows + 1) % MAX_COUNT;
    const [time, count] = [atMs.toString(BASE), this.rows.toString(BASE)];
    return `${time.padStart(TIME_DIGITS, '0')}${count.padStart(COUNT_DIGITS, '0')}${this.server}`;
  }

  private failed(error: unknown): void {
    if (!this.isFailing) this.deps.onFailure(error);
    this.isFailing = true;
    // What could not be counted is tried again, whether another request comes or not.
    if (!this.pending.isEmpty) this.timer ??= setTimeout(() => void this.flush(), STORE_EVERY_MS).unref();
  }
}
