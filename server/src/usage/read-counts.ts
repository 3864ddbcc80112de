import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../storage/storage.js';
import { type Period, PERIODS, startsOf } from './periods.js';
import { ALL_KEYS, isOutcome, type Outcome, OUTCOMES } from './recorded-request.js';
import { type LoggedRequest, readRequestLog } from './read-request-log.js';
import { percentile, TIME_PLACES, timeColumn, type TimeRange } from './response-times.js';

/** What became of some requests. */
export interface Counts {
  readonly requests: Readonly<Record<Outcome, number>>;
  /** Of those that were counted: where the middle one lies, and the one that is slower than 95 of 100. */
  readonly p50: TimeRange | undefined;
  readonly p95: TimeRange | undefined;
}

/** Requests that counted against the limits. */
export const countedOf = ({ requests }: Counts): number =>
  requests['2xx'] + requests['4xx'] + requests['5xx'];

export interface CountsFilter {
  /** Left out by operators, who see all accounts. */
  readonly accountId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly keyId?: number | undefined;
  readonly operation?: string | undefined;
}

/** Who asked. */
export interface Asker {
  readonly accountId: string;
  readonly email: string;
}

export interface AskingKey extends Asker {
  readonly keyId: number;
  readonly prefix: string;
  readonly projectName: string;
}

export interface PeriodUsage {
  readonly all: Counts;
  /** Oldest first, spans without requests included. */
  readonly spans: readonly { readonly startMinute: number; readonly counts: Counts }[];
  /** Those that were asked for, the most first. */
  readonly operations: readonly { readonly operation: string; readonly counts: Counts }[];
  /** Those that asked for the most, refusals included. */
  readonly keys: readonly (AskingKey & { readonly counts: Counts })[];
  /** The same, without times. */
  readonly accounts: readonly (Asker & { readonly counts: Counts })[];
}

const MAX_TOP = 20;

type Sums = Readonly<Record<string, unknown>> & { readonly outcome: string };

interface Gathered {
  readonly requests: Record<Outcome, number>;
  readonly places: number[];
}

const empty = (): Gathered => ({
  requests: { '2xx': 0, '4xx': 0, '5xx': 0, refused: 0 },
  places: Array<number>(TIME_PLACES).fill(0),
});

const countsFrom = ({ requests, places }: Gathered): Counts => ({
  requests,
  p50: percentile(places, 0.5),
  p95: percentile(places, 0.95),
});

function add(to: Gathered, row: Sums): void {
  if (!isOutcome(row.outcome)) return;
  to.requests[row.outcome] += Number(row['requests']);
  // A refusal takes no time, so that many of them would hide how long answers take.
  if (row.outcome === 'refused') return;
  for (const place of to.places.keys())
    to.places[place] = (to.places[place] ?? 0) + Number(row[timeColumn(place)]);
}

/** The counts of a period that a filter lets through; every start is named, so that the primary key finds them. */
function counted(db: Database, period: Period, nowMs: number, filter: CountsFilter) {
  const { accountId, projectId, keyId, operation } = filter;
  const rows = db('usage_counts')
    .where('span_minutes', PERIODS[period].span)
    .whereIn('start_minute', [...startsOf(period, nowMs)]);
  if (operation !== undefined) void rows.where('operation', operation);
  if (keyId !== undefined) void rows.where('key_id', keyId);
  if (accountId !== undefined || projectId !== undefined) {
    const keys = db('api_keys').join('projects', 'projects.id', 'api_keys.project_id').select('api_keys.id');
    if (accountId !== undefined) void keys.where('projects.account_id', accountId);
    if (projectId !== undefined) void keys.where('projects.id', projectId);
    void rows.whereIn('key_id', keys);
  }
  return rows;
}

const SUMMED = Object.fromEntries(
  ['requests', ...Array.from({ length: TIME_PLACES }, (_, place) => timeColumn(place))].map((name) => [
    name,
    name,
  ]),
);

/** Sums some counts by a column. */
async function summedBy(rows: ReturnType<typeof counted>, column: string): Promise<Map<string, Gathered>> {
  const sums = await rows.clone().groupBy(column, 'outcome').sum(SUMMED).select<Sums[]>(column, 'outcome');
  const gathered = new Map<string, Gathered>();
  for (const row of sums) {
    const name = String(row[column]);
    const to = gathered.get(name) ?? empty();
    add(to, row);
    gathered.set(name, to);
  }
  return gathered;
}

const requestsOf = ({ requests }: Pick<Gathered, 'requests'>) =>
  OUTCOMES.reduce((total, outcome) => total + requests[outcome], 0);

type KeyRow = { id: number; prefix: string; project: string; account_id: string; email: string };

async function readKeys(db: Database, { accountId }: CountsFilter): Promise<readonly AskingKey[]> {
  const rows: KeyRow[] = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .where(accountId === undefined ? {} : { account_id: accountId })
    .select('api_keys.id', 'prefix', 'projects.name as project', 'account_id', 'email');
  return rows.map(({ id, project, account_id: owner, ...row }) => ({
    ...{ keyId: id, projectName: project, accountId: owner },
    ...row,
  }));
}

/** Who asked for the most: all counts are read once, the times of those that are shown alone. */
async function readTop(
  db: Database,
  rows: ReturnType<typeof counted>,
  filter: CountsFilter,
): Promise<Pick<PeriodUsage, 'keys' | 'accounts'>> {
  const sums: (Sums & { key_id: number })[] = await rows
    .clone()
    .groupBy('key_id', 'outcome')
    .sum({ requests: 'requests' })
    .select('key_id', 'outcome');
  const owners = new Map((await readKeys(db, filter)).map((key) => [key.keyId, key]));
  const ofKey = new Map<AskingKey, Gathered>();
  const ofAccount = new Map<string, Asker & { readonly gathered: Gathered }>();
  for (const row of sums) {
    const key = owners.get(row.key_id);
    if (key === undefined || !isOutcome(row.outcome)) continue;
    const { accountId, email } = key;
    const account = ofAccount.get(accountId) ?? { accountId, email, gathered: empty() };
    const gathered = ofKey.get(key) ?? empty();
    for (const { requests } of [account.gathered, gathered]) requests[row.outcome] += Number(row['requests']);
    ofAccount.set(accountId, account);
    ofKey.set(key, gathered);
  }
  const keys = [...ofKey]
    .sort(([, one], [, other]) => requestsOf(other) - requestsOf(one))
    .slice(0, MAX_TOP)
    .map(([key]) => key);
  const shown = keys.map(({ keyId }) => keyId);
  const timed = await summedBy(rows.clone().whereIn('key_id', shown), 'key_id');
  return {
    keys: keys.map((key) => ({ ...key, counts: countsFrom(timed.get(String(key.keyId)) ?? empty()) })),
    accounts: [...ofAccount.values()]
      .sort((one, other) => requestsOf(other.gathered) - requestsOf(one.gathered))
      .slice(0, MAX_TOP)
      .map(({ gathered, ...account }) => ({ ...account, counts: countsFrom(gathered) })),
  };
}

async function readPeriod(
  db: Database,
  period: Period,
  nowMs: number,
  filter: CountsFilter,
): Promise<PeriodUsage> {
  const rows = counted(db, period, nowMs, filter);
  const isOfAll = [filter.accountId, filter.projectId, filter.keyId].every((part) => part === undefined);
  const together = isOfAll ? rows.clone().where('key_id', ALL_KEYS) : rows;
  const byKey = isOfAll ? rows.clone().whereNot('key_id', ALL_KEYS) : rows;
  const [spans, operations, top] = await Promise.all([
    summedBy(together, 'start_minute'),
    summedBy(together, 'operation'),
    readTop(db, byKey, filter),
  ]);
  const all = empty();
  for (const { requests, places } of spans.values()) {
    for (const [place, count] of places.entries()) all.places[place] = (all.places[place] ?? 0) + count;
    for (const outcome of OUTCOMES) all.requests[outcome] += requests[outcome];
  }
  return {
    ...top,
    all: countsFrom(all),
    spans: startsOf(period, nowMs).map((startMinute) => ({
      startMinute,
      counts: countsFrom(spans.get(String(startMinute)) ?? empty()),
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
  /** Stores what this server has recorded, so that what is shown has all of it. */
  readonly flush: () => Promise<void>;
}

/** What took long to read is shown for so many times as long, so that reading takes a small part of the database. */
const KEPT_TIMES = 20;
const MAX_KEPT = 100;

interface KeptUsage {
  readonly usage: Promise<PeriodUsage>;
  untilMs: number;
}

/** What became of requests, as of now, for whoever must not see the database. */
export function createRequestHistory({ db, clock, flush }: RequestHistoryDeps) {
  const kept = new LRUCache<string, KeptUsage>({ max: MAX_KEPT });
  return {
    ofPeriod(period: Period, filter: CountsFilter): Promise<PeriodUsage> {
      const name = JSON.stringify([period, filter]);
      const beganMs = clock();
      const found = kept.get(name);
      if (found !== undefined && beganMs < found.untilMs) return found.usage;
      const usage = flush().then(() => readPeriod(db, period, beganMs, filter));
      const reading: KeptUsage = { usage, untilMs: Infinity };
      kept.set(name, reading);
      usage.then(
        () => (reading.untilMs = clock() + KEPT_TIMES * (clock() - beganMs)),
        () => kept.delete(name),
      );
      return usage;
    },
    async logOfKey(keyId: number): Promise<LoggedRequest[]> {
      await flush();
      return readRequestLog(db, keyId, clock());
    },
  };
}

export type RequestHistory = ReturnType<typeof createRequestHistory>;
