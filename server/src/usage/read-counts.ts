import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../storage/storage.js';
import { findRequest, type FoundRequest } from './find-request.js';
import { type DayRange, type Period, spansOf } from './periods.js';
import {
  type AccountLogQuery,
  type AccountRequest,
  type LoggedRequest,
  readAccountLog,
  readRequestLog,
} from './read-request-log.js';
import {
  FIRST_PAGES,
  readTopAccounts,
  readTopKeys,
  type TopAccounts,
  type TopKeys,
  type TopPages,
} from './read-top.js';
import { ALL_KEYS, OUTCOMES } from './recorded-request.js';
import {
  selectCounts,
  type Counts,
  type CountsFilter,
  countsFrom,
  emptyCounts,
  type RawCounts,
  sumBy,
} from './sum-counts.js';

/**
 * The outcomes of the requests in a period. `accounts` is empty if the usage is that of one account, project or key.
 */
export interface PeriodUsage extends TopKeys, TopAccounts {
  readonly all: Counts;
  /** The length of a span in minutes. */
  readonly span: number;
  /** The spans of the period, oldest first, including those without requests. */
  readonly spans: readonly { readonly startMinute: number; readonly counts: Counts }[];
  /** The requested operations, the most frequent first. */
  readonly operations: readonly { readonly operation: string; readonly counts: Counts }[];
}

const requestsOf = ({ requests }: Pick<RawCounts, 'requests'>) =>
  OUTCOMES.reduce((total, outcome) => total + requests[outcome], 0);

async function readPeriod(
  db: Database,
  period: Period | DayRange,
  nowMs: number,
  filter: CountsFilter,
  pages: TopPages,
): Promise<PeriodUsage> {
  const { span, starts } = spansOf(period, nowMs);
  const rows = selectCounts(db, { span, starts }, filter);
  const isOfAll = [filter.accountId, filter.projectId, filter.keyId].every((part) => part === undefined);
  const rowsOfAllKeys = isOfAll ? rows.clone().where('key_id', ALL_KEYS) : rows;
  const byKey = isOfAll ? rows.clone().whereNot('key_id', ALL_KEYS) : rows;
  const [spans, operations, keys, accounts] = await Promise.all([
    sumBy(rowsOfAllKeys, 'start_minute'),
    sumBy(rowsOfAllKeys, 'operation'),
    readTopKeys(db, byKey, pages),
    isOfAll ? readTopAccounts(db, byKey, pages) : { accounts: [], accountTotal: 0 },
  ]);
  const all = emptyCounts();
  for (const { requests, timeCounts } of spans.values()) {
    for (const [range, count] of timeCounts.entries())
      all.timeCounts[range] = (all.timeCounts[range] ?? 0) + count;
    for (const outcome of OUTCOMES) all.requests[outcome] += requests[outcome];
  }
  return {
    ...keys,
    ...accounts,
    all: countsFrom(all),
    span,
    spans: starts.map((startMinute) => ({
      startMinute,
      counts: countsFrom(spans.get(String(startMinute)) ?? emptyCounts()),
    })),
    operations: Array.from(operations, ([operation, gathered]) => ({
      operation,
      counts: countsFrom(gathered),
    })).sort((one, other) => requestsOf(other.counts) - requestsOf(one.counts)),
  };
}

interface RequestHistoryDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Stores what this server has recorded so far, so that the results include it. */
  readonly flush: () => Promise<void>;
}

/**
 * How long a result is cached, as a multiple of the time that it took to read, so that reads take only a small part of
 * the database's time.
 */
const CACHE_TIME_FACTOR = 20;
const MAX_CACHED = 100;

interface CachedUsage {
  readonly usage: Promise<PeriodUsage>;
  untilMs: number;
}

/**
 * Returns functions that read the request history, for code that must not access the database itself. The usage of
 * periods is cached.
 */
export function createRequestHistory({ db, clock, flush }: RequestHistoryDeps) {
  const cache = new LRUCache<string, CachedUsage>({ max: MAX_CACHED });
  return {
    ofPeriod(period: Period | DayRange, filter: CountsFilter, pages = FIRST_PAGES): Promise<PeriodUsage> {
      const name = JSON.stringify([period, filter, pages]);
      const beganMs = clock();
      const cached = cache.get(name);
      if (cached !== undefined && beganMs < cached.untilMs) return cached.usage;
      const usage = flush().then(() => readPeriod(db, period, beganMs, filter, pages));
      const reading: CachedUsage = { usage, untilMs: Infinity };
      cache.set(name, reading);
      usage.then(
        () => (reading.untilMs = clock() + CACHE_TIME_FACTOR * (clock() - beganMs)),
        () => cache.delete(name),
      );
      return usage;
    },
    async logOfKey(keyId: number): Promise<LoggedRequest[]> {
      await flush();
      return readRequestLog(db, keyId, clock());
    },
    /** The latest requests of an account that match the query. */
    async logOfAccount(query: AccountLogQuery): Promise<AccountRequest[]> {
      await flush();
      return readAccountLog(db, query, clock());
    },
    /** The key and account of a logged request, within one account if given; undefined if it is not in the log. */
    async findRequest(requestId: string, accountId: string | undefined): Promise<FoundRequest | undefined> {
      await flush();
      return findRequest(db, requestId, accountId, clock());
    },
  };
}

export type RequestHistory = ReturnType<typeof createRequestHistory>;
