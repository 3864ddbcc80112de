import type { ComponentChildren } from 'preact';
import { DAY_MINUTES, HOUR_MINUTES, MINUTE_MS, SECOND_MS } from '../../platform/time-units.js';
import { isPeriod, PERIODS } from '../../usage/periods.js';
import type { PeriodUsage } from '../../usage/read-counts.js';
import type { Outcome } from '../../usage/recorded-request.js';
import { countedRequests, type Counts } from '../../usage/sum-counts.js';
import type { TopKeys } from '../../usage/read-top.js';
import type { TimeRange } from '../../usage/response-times.js';
import { OutcomeChart } from '../chart/outcome-chart.js';
import { longDate, shortDate } from '../chart/usage-summary.js';
import { KeyLink } from '../keys/key-display.js';
import { countColumn } from '../layout/columns.js';
import { type Column, DataTable, type DataTableProps } from '../layout/data-table.js';
import { ChoiceField, FilterField, FilterForm } from '../layout/filter-form.js';
import { formatCount } from '../layout/formatting.js';
import { OPERATIONS, operationTitle, type UsageQuery, usagePath } from './usage-query.js';
import { Figures } from '../layout/facts.js';
import { Submit, HiddenFields } from '../layout/form.js';

const unitOf = (ms: number) => (ms < SECOND_MS ? { name: 'ms', ms: 1 } : { name: 's', ms: SECOND_MS });
const inUnit = (ms: number) => `${ms / unitOf(ms).ms} ${unitOf(ms).name}`;

/** Formats a range of response times, such as "up to 5 ms" or "1–2 s"; a dash if undefined. */
export function formatTimeRange(range: TimeRange | undefined): string {
  if (range === undefined) return '–';
  const { fromMs, toMs } = range;
  if (toMs === null) return `over ${inUnit(fromMs)}`;
  if (fromMs === 0) return `up to ${inUnit(toMs)}`;
  const unit = unitOf(fromMs);
  return `${unit.name === unitOf(toMs).name ? fromMs / unit.ms : inUnit(fromMs)}–${inUnit(toMs)}`;
}

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

interface QueryProps {
  readonly path: string;
  readonly query: UsageQuery;
}

/** Asks for the first and last day to show, in place of a period. */
const DaysForm = ({ path, query: { from, to, account, project, key, operation } }: QueryProps) => (
  <details open={from !== ''}>
    <summary>Days of your choice</summary>
    <form action={path} class="filters row">
      <HiddenFields fields={{ account, project, key, operation }} />
      <FilterField type="date" name="from" label="From the day (UTC)" value={from} />
      <FilterField type="date" name="to" label="To the day (UTC)" value={to} />
      <Submit>Show these days</Submit>
      <span class="muted">
        Days are kept for {PERIODS.quarter.spans} days, hours for today and yesterday.
      </span>
    </form>
  </details>
);

interface UsageFiltersProps extends QueryProps {
  /** The fields before the choice of an operation. */
  readonly children: ComponentChildren;
}

export function UsageFilters({ path, query, children }: UsageFiltersProps) {
  const { account, project, key, operation, period, from, to } = query;
  const isFiltered = [account, project, key, operation].some((part) => part !== '');
  return (
    <FilterForm
      list={{ path, isFiltered }}
      hiddenFields={{ period: period === 'day' ? '' : period, from, to }}
    >
      {children}
      <OperationSelect chosen={operation} />
    </FilterForm>
  );
}

/** Links to the same usage in each period, and the form for other days. */
export const PeriodLinks = ({ path, query }: QueryProps) => (
  <nav class="periods" aria-label="Period">
    <ul>
      {Object.keys(PERIODS)
        .filter(isPeriod)
        .map((period) => (
          <li>
            <a
              href={usagePath(path, { ...query, period, from: '', to: '', keys: '', accounts: '' })}
              {...(query.from === '' && period === query.period ? { 'aria-current': 'true' } : {})}
            >
              {PERIODS[period].words}
            </a>
          </li>
        ))}
    </ul>
    <DaysForm path={path} query={query} />
  </nav>
);

/**
 * Returns the path of the log, filtered by an outcome (empty for all) and by time: from `fromMinute` to before
 * `toMinute`, in minutes since 1970. Without `fromMinute`, the time begins with the shown period; without `toMinute`,
 * it has no end.
 */
export type LogPath = (outcome: Outcome | '', fromMinute?: number, toMinute?: number) => string;

interface LogLinkProps {
  /** Without it, the counts do not link to the log. */
  readonly logPath?: LogPath | undefined;
}

/** The figures of a period. Counts above 0 link to their requests in the log, if `logPath` is given. */
export function UsageFigures({ counts, logPath }: LogLinkProps & { readonly counts: Counts }) {
  const { requests, p50, p95 } = counts;
  const linked = (outcome: Outcome | '', count: number) =>
    count === 0 || logPath === undefined ? (
      formatCount(count)
    ) : (
      <a href={logPath(outcome)}>{formatCount(count)}</a>
    );
  const figures = [
    ['Requests', linked('', countedRequests(counts))],
    ['Answered (2xx)', linked('2xx', requests['2xx'])],
    ['Wrong (4xx)', linked('4xx', requests['4xx'])],
    ['Failed (5xx)', linked('5xx', requests['5xx'])],
    ['Refused (not counted)', linked('refused', requests.refused)],
    ['Median time (p50)', formatTimeRange(p50)],
    ['19 of 20 took at most (p95)', formatTimeRange(p95)],
  ] as const;
  return <Figures figures={figures} areSmall />;
}

/** The outcomes over time. A single span has no chart, because the figures say it all. */
export function PeriodChart({ usage, logPath }: LogLinkProps & { readonly usage: PeriodUsage }) {
  const { span } = usage;
  if (usage.spans.length === 1) return null;
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
  readonly name: ComponentChildren;
  readonly counts: Counts;
}

export interface CountsTableProps extends Pick<DataTableProps<CountsRow>, 'rows' | 'sorting' | 'pages'> {
  readonly title: string;
  readonly of: string;
}

const outcomeColumn = (title: string, sort: string, count: (counts: Counts) => number) =>
  countColumn<CountsRow>({ title, sort, of: ({ counts }) => count(counts) });

const timeColumn = (title: string, range: (counts: Counts) => TimeRange | undefined): Column<CountsRow> => ({
  title,
  kind: 'number',
  cell: ({ counts }) => formatTimeRange(range(counts)),
});

export function CountsTable({ title, of, rows, sorting, pages }: CountsTableProps) {
  const isTimed = rows.some(({ counts }) => counts.p50 !== undefined);
  const columns: readonly Column<CountsRow>[] = [
    { title: of, kind: 'head', cell: ({ name }) => name },
    outcomeColumn('Requests', 'requests', countedRequests),
    outcomeColumn('4xx', 'wrong', ({ requests }) => requests['4xx']),
    outcomeColumn('5xx', 'failed', ({ requests }) => requests['5xx']),
    outcomeColumn('Refused', 'refused', ({ requests }) => requests.refused),
    ...(isTimed ? [timeColumn('p50', ({ p50 }) => p50), timeColumn('p95', ({ p95 }) => p95)] : []),
  ];
  return (
    <section>
      <h2>{title}</h2>
      <DataTable
        label={title}
        columns={columns}
        rows={rows}
        sorting={sorting}
        pages={pages && (pages.paging.page > 1 || pages.total > pages.paging.limit) ? pages : undefined}
      />
    </section>
  );
}

/** The rows of a table of keys. What `ownerOf` returns is shown before the name of a key's project. */
export const keyRows = (
  keys: TopKeys['keys'],
  hrefOf: (key: TopKeys['keys'][number]) => string,
  ownerOf: (key: TopKeys['keys'][number]) => ComponentChildren = () => null,
): readonly CountsRow[] =>
  keys.map((key) => ({
    name: (
      <>
        <KeyLink ownKey={key} href={hrefOf(key)} />
        <div class="muted operator-name">
          {ownerOf(key)}
          <bdi>{key.projectName}</bdi>
        </div>
      </>
    ),
    counts: key.counts,
  }));

export function OperationsTable({ usage }: { readonly usage: PeriodUsage }) {
  const rows = usage.operations.map(({ operation, counts }) => ({ name: operationTitle(operation), counts }));
  return <CountsTable title="By operation" of="Operation" rows={rows} />;
}

export const OperationSelect = ({ chosen }: { readonly chosen: string }) => (
  <ChoiceField
    name="operation"
    label="Operation"
    value={chosen}
    any="All operations"
    choices={OPERATIONS.map(({ id, title }) => [id, title] as const)}
  />
);

export const AboutFigures = () => (
  <p class="muted">
    Every operation counts, over HTTP, through an assistant or from a form here. Refused are those past a
    limit or with a revoked key: they cost no request and are in no total. Times are told as the range that
    they lie in; rejections have no part in them. Days begin at midnight UTC.
  </p>
);
