import type { Clock } from '../platform/clock.js';
import type { Database } from '../storage/storage.js';
import { type Period, PERIODS, startsOf } from './periods.js';
import { isOutcome, type Outcome } from './recorded-request.js';
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
}

export const MAX_TOP = 20;

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

const askedOf = ({ requests }: Counts) => Object.values(requests).reduce((total, count) => total + count, 0);

const mostFirst = (one: { readonly counts: Counts }, other: { readonly counts: Counts }) =>
  askedOf(other.counts) - askedOf(one.counts);

type KeyRow = { id: number; prefix: string; project: string; account_id: string; email: string };

/** The keys that asked for the most. */
async function topKeys(db: Database, rows: ReturnType<typeof counted>): Promise<PeriodUsage['keys']> {
  const top: { key_id: number }[] = await rows
    .clone()
    .groupBy('key_id')
    .orderByRaw('SUM(requests) DESC, key_id')
    .limit(MAX_TOP)
    .select('key_id');
  const ids = top.map(({ key_id }) => key_id);
  const gathered = await summedBy(rows.clone().whereIn('key_id', ids), 'key_id');
  const keys: KeyRow[] = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .whereIn('api_keys.id', ids)
    .select(
      'api_keys.id',
      'api_keys.prefix',
      'projects.name as project',
      'accounts.id as account_id',
      'email',
    );
  return keys
    .map(({ id, prefix, project, account_id: accountId, email }) => ({
      ...{ keyId: id, prefix, projectName: project, accountId, email },
      counts: countsFrom(gathered.get(String(id)) ?? empty()),
    }))
    .sort(mostFirst);
}

async function readPeriod(
  db: Database,
  period: Period,
  nowMs: number,
  filter: CountsFilter,
): Promise<PeriodUsage> {
  const rows = counted(db, period, nowMs, filter);
  const [spans, operations, keys] = await Promise.all([
    summedBy(rows, 'start_minute'),
    summedBy(rows, 'operation'),
    topKeys(db, rows),
  ]);
  const all = empty();
  for (const { requests, places } of spans.values()) {
    for (const [place, count] of places.entries()) all.places[place] = (all.places[place] ?? 0) + count;
    for (const [outcome, count] of Object.entries(requests))
      if (isOutcome(outcome)) all.requests[outcome] += count;
  }
  return {
    all: countsFrom(all),
    spans: startsOf(period, nowMs).map((startMinute) => ({
      startMinute,
      counts: countsFrom(spans.get(String(startMinute)) ?? empty()),
    })),
    operations: Array.from(operations, ([operation, gathered]) => ({
      operation,
      counts: countsFrom(gathered),
    })).sort(mostFirst),
    keys,
  };
}

/** The accounts that asked for the most, refusals included. */
async function readTopAccounts(db: Database, period: Period, nowMs: number, filter: CountsFilter) {
  const owned = (accounts?: readonly string[]) => {
    const rows = counted(db, period, nowMs, filter)
      .join('api_keys', 'api_keys.id', 'usage_counts.key_id')
      .join('projects', 'projects.id', 'api_keys.project_id')
      .join('accounts', 'accounts.id', 'projects.account_id');
    return accounts === undefined ? rows : rows.whereIn('email', [...accounts]);
  };
  const top: { email: string; id: string }[] = await owned()
    .groupBy('email', 'accounts.id')
    .orderByRaw('SUM(requests) DESC, email')
    .limit(MAX_TOP)
    .select('email', 'accounts.id as id');
  const gathered = await summedBy(owned(top.map(({ email }) => email)), 'email');
  return top
    .map(({ email, id }) => ({ email, accountId: id, counts: countsFrom(gathered.get(email) ?? empty()) }))
    .sort(mostFirst);
}

interface RequestHistoryDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Stores what this server has recorded, so that what is shown has all of it. */
  readonly flush: () => Promise<void>;
}

/** What became of requests, as of now, for whoever must not see the database. */
export const createRequestHistory = ({ db, clock, flush }: RequestHistoryDeps) => ({
  async ofPeriod(period: Period, filter: CountsFilter): Promise<PeriodUsage> {
    await flush();
    return readPeriod(db, period, clock(), filter);
  },
  topAccounts: (period: Period, filter: CountsFilter) => readTopAccounts(db, period, clock(), filter),
  async logOfKey(keyId: number): Promise<LoggedRequest[]> {
    await flush();
    return readRequestLog(db, keyId, clock());
  },
});

export type RequestHistory = ReturnType<typeof createRequestHistory>;
