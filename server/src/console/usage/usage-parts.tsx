import type { ComponentChildren } from 'preact';
import { DAY_MINUTES, HOUR_MINUTES, MINUTE_MS, SECOND_MS } from '../../platform/time-units.js';
import { isPeriod, type Period, PERIODS } from '../../usage/periods.js';
import type { PeriodUsage } from '../../usage/read-counts.js';
import type { Outcome } from '../../usage/recorded-request.js';
import { countedOf, type Counts } from '../../usage/sum-counts.js';
import type { TimeRange } from '../../usage/response-times.js';
import { OutcomeChart } from '../chart/outcome-chart.js';
import { longDate, shortDate } from '../chart/usage-summary.js';
import { type Column, DataTable, type Sorting } from '../layout/data-table.js';
import { formatCount } from '../layout/formatting.js';
import { PageLinks, type PageLinksProps } from '../layout/paging.js';
import { OPERATIONS, operationTitle, type UsageQuery, usagePath } from './usage-query.js';

const unitOf = (ms: number) => (ms < SECOND_MS ? { name: 'ms', ms: 1 } : { name: 's', ms: SECOND_MS });
const inUnit = (ms: number) => `${ms / unitOf(ms).ms} ${unitOf(ms).name}`;

/** Formats a range of values, as precisely as it is known. */
export function formatTimeRange(range: TimeRange | undefined): string {
  if (range === undefined) return '–';
  const { fromMs, toMs } = range;
  if (toMs === null) return `over ${inUnit(fromMs)}`;
  if (fromMs === 0) return `up to ${inUnit(toMs)}`;
  const unit = unitOf(fromMs);
  return `${unit.name === unitOf(toMs).name ? fromMs / unit.ms : inUnit(fromMs)}–${inUnit(toMs)}`;
}

/** The label of a span: its start. */
function spanLabel(startMinute: number, span: number): string {
  const time = new Date(startMinute * MINUTE_MS).toISOString();
  const [date, clock] = [time.slice(0, 10), time.slice(11, 16)];
  if (span === DAY_MINUTES) return longDate(date);
  return span === HOUR_MINUTES ? `${shortDate(date)}, ${clock}` : clock;
}

const UNITS = new Map([
  [1, 'Minute'],
  [HOUR_MINUTES, 'Hour'],
  [DAY_MINUTES, 'Day'],
]);

/** Links to the same usage in each period. */
export function PeriodLinks({ path, query }: { readonly path: string; readonly query: UsageQuery }) {
  return (
    <nav class="periods" aria-label="Period">
      <ul>
        {Object.keys(PERIODS)
          .filter(isPeriod)
          .map((period) => (
            <li key={period}>
              <a
                href={usagePath(path, { ...query, period, keys: '', accounts: '' })}
                {...(period === query.period ? { 'aria-current': 'true' } : {})}
              >
                {PERIODS[period].words}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** The address of the log, filtered by an outcome and by time: from a minute on, before another. */
export type LogPath = (outcome: Outcome | '', fromMinute?: number, toMinute?: number) => string;

interface UsageFiguresProps {
  readonly counts: Counts;
  /** Missing if the viewer has no log that contains all these requests. */
  readonly logPath?: LogPath;
}

/** The totals of a period, each with a link to its requests. */
export function UsageFigures({ counts, logPath }: UsageFiguresProps) {
  const { requests, p50, p95 } = counts;
  const linked = (outcome: Outcome | '', count: number) =>
    count === 0 || logPath === undefined ? (
      formatCount(count)
    ) : (
      <a href={logPath(outcome)}>{formatCount(count)}</a>
    );
  const figures = [
    ['Requests', linked('', countedOf(counts))],
    ['Answered (2xx)', linked('2xx', requests['2xx'])],
    ['Wrong (4xx)', linked('4xx', requests['4xx'])],
    ['Failed (5xx)', linked('5xx', requests['5xx'])],
    ['Refused (429), not counted', linked('refused', requests.refused)],
    ['Median time (p50)', formatTimeRange(p50)],
    ['19 of 20 took at most (p95)', formatTimeRange(p95)],
  ] as const;
  return (
    <dl class="figures usage-figures">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface PeriodChartProps {
  readonly period: Period;
  readonly usage: PeriodUsage;
  /** Missing if the viewer has no log that contains all these requests. */
  readonly logPath?: LogPath;
}

/** A chart of the outcomes over time. A period of a single span has none, because its totals say everything. */
export function PeriodChart({ period, usage, logPath }: PeriodChartProps) {
  const { span, spans } = PERIODS[period];
  if (spans === 1) return null;
  const unit = UNITS.get(span) ?? '';
  return (
    <OutcomeChart
      spans={usage.spans.map(({ startMinute, counts }) => ({
        label: spanLabel(startMinute, span),
        requests: counts.requests,
        timeMs: startMinute * MINUTE_MS,
        href: logPath?.('', startMinute, startMinute + span),
      }))}
      label={`Requests per ${unit.toLowerCase()}`}
      unit={unit}
    />
  );
}

interface CountsRow {
  readonly id: string;
  readonly name: ComponentChildren;
  readonly counts: Counts;
}

export interface CountsTableProps {
  readonly title: string;
  /** The heading of the first column, such as "Key". */
  readonly of: string;
  readonly rows: readonly CountsRow[];
  readonly sorting?: Sorting;
  /** Set if there is more than one page. */
  readonly pages?: PageLinksProps;
}

const outcomeColumn = (
  title: string,
  sort: string,
  count: (counts: Counts) => number,
): Column<CountsRow> => ({
  title,
  sort,
  kind: 'number',
  cell: ({ counts }) => formatCount(count(counts)),
});

const timeColumn = (title: string, range: (counts: Counts) => TimeRange | undefined): Column<CountsRow> => ({
  title,
  kind: 'number',
  cell: ({ counts }) => formatTimeRange(range(counts)),
});

/** The outcomes of several keys or accounts, one per row. */
export function CountsTable({ title, of, rows, sorting, pages }: CountsTableProps) {
  const isTimed = rows.some(({ counts }) => counts.p50 !== undefined);
  const columns: readonly Column<CountsRow>[] = [
    { title: of, kind: 'head', cell: ({ name }) => name },
    outcomeColumn('Requests', 'requests', countedOf),
    outcomeColumn('4xx', 'wrong', ({ requests }) => requests['4xx']),
    outcomeColumn('5xx', 'failed', ({ requests }) => requests['5xx']),
    outcomeColumn('Refused', 'refused', ({ requests }) => requests.refused),
    ...(isTimed ? [timeColumn('p50', ({ p50 }) => p50), timeColumn('p95', ({ p95 }) => p95)] : []),
  ];
  return (
    <section>
      <h2>{title}</h2>
      <DataTable label={title} columns={columns} rows={rows} idOf={({ id }) => id} sorting={sorting} />
      {pages === undefined || pages.total <= pages.paging.limit ? null : <PageLinks {...pages} />}
    </section>
  );
}

export function OperationsTable({ usage }: { readonly usage: PeriodUsage }) {
  const rows = usage.operations.map(({ operation, counts }) => ({
    id: operation,
    name: operationTitle(operation),
    counts,
  }));
  return <CountsTable title="By operation" of="Operation" rows={rows} />;
}

/** A choice of one operation, or all. */
export function OperationSelect({ chosen }: { readonly chosen: string }) {
  return (
    <div class="field">
      <label for="operation">Operation</label>
      <select id="operation" name="operation">
        <option value="">All operations</option>
        {OPERATIONS.map(({ id, title }) => (
          <option key={id} value={id} selected={id === chosen}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Explains the figures. */
export const AboutFigures = () => (
  <p class="muted">
    Every operation counts, over HTTP, through an assistant or from a form here. Refused are those past a
    limit or with a revoked key: they cost no request and are in no total. Times are told as the range that
    they lie in; rejections have no part in them. Days begin at midnight UTC.
  </p>
);
