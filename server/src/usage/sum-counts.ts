import type { Database } from '../storage/storage.js';
import type { spansOf } from './periods.js';
import { isOutcome, type Outcome } from './recorded-request.js';
import { percentile, TIME_RANGES, timeColumn, type TimeRange } from './response-times.js';

/** How many requests had each outcome, and how long counted requests took. */
export interface Counts {
  readonly requests: Readonly<Record<Outcome, number>>;
  /** The range with the median of the response times of counted requests; undefined if no response times were read. */
  readonly p50: TimeRange | undefined;
  /**
   * The range with the 95th percentile of the response times of counted requests; undefined if no response times were
   * read.
   */
  readonly p95: TimeRange | undefined;
}

/** The number of requests that counted against the limits. */
export const countedRequests = ({ requests }: Counts): number =>
  requests['2xx'] + requests['4xx'] + requests['5xx'];

export interface CountsFilter {
  /** Undefined for all accounts, which only operators may see. */
  readonly accountId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly keyId?: number | undefined;
  readonly operation?: string | undefined;
}

type SumRow = Readonly<Record<string, unknown>> & { readonly outcome: string };

export interface RawCounts {
  readonly requests: Record<Outcome, number>;
  readonly timeCounts: number[];
}

export const emptyCounts = (): RawCounts => ({
  requests: { '2xx': 0, '4xx': 0, '5xx': 0, refused: 0 },
  timeCounts: Array<number>(TIME_RANGES).fill(0),
});

export const countsFrom = ({ requests, timeCounts }: RawCounts): Counts => ({
  requests,
  p50: percentile(timeCounts, 0.5),
  p95: percentile(timeCounts, 0.95),
});

function add(to: RawCounts, row: SumRow): void {
  if (!isOutcome(row.outcome)) return;
  to.requests[row.outcome] += Number(row['requests']);
  // The times of rejections are left out: they are almost 0, so many of them would hide the real response times.
  if (row.outcome === 'refused') return;
  for (const range of to.timeCounts.keys())
    to.timeCounts[range] = (to.timeCounts[range] ?? 0) + Number(row[timeColumn(range)]);
}

/**
 * A query for the counts of spans that match a filter. Without an account, project or key in the filter, it also finds
 * the counts of all keys together. It lists the start minute of every span, so that the database can use the primary
 * key.
 */
export function selectCounts(
  db: Database,
  { span, starts }: ReturnType<typeof spansOf>,
  filter: CountsFilter,
) {
  const { accountId, projectId, keyId, operation } = filter;
  const rows = db('usage_counts').where('span_minutes', span).whereIn('start_minute', starts);
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

const SUM_COLUMNS = Object.fromEntries(
  ['requests', ...Array.from({ length: TIME_RANGES }, (_, range) => timeColumn(range))].map((name) => [
    name,
    name,
  ]),
);

export type CountRows = ReturnType<typeof selectCounts>;

/** Sums the counts for each value of a column. The values, as texts, are the keys of the map. */
export async function sumBy(rows: CountRows, column: string): Promise<Map<string, RawCounts>> {
  const sums = await rows
    .clone()
    .groupBy(column, 'outcome')
    .sum(SUM_COLUMNS)
    .select<SumRow[]>(column, 'outcome');
  const countsByValue = new Map<string, RawCounts>();
  for (const row of sums) {
    const name = String(row[column]);
    const to = countsByValue.get(name) ?? emptyCounts();
    add(to, row);
    countsByValue.set(name, to);
  }
  return countsByValue;
}
