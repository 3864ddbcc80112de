import { LIMITS } from '@signpost/contract';
import { isOutcome, type Outcome, OUTCOMES } from '../../usage/recorded-request.js';
import { type AccountRequest, type LoggedRequest, MOST_READ } from '../../usage/read-request-log.js';
import { OUTCOME_WORDS } from '../chart/outcome-chart.js';
import { KeyLink } from '../keys/key-display.js';
import { keyPath } from '../keys/own-key.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { ChoiceField, FilterForm, FilterField } from '../layout/filter-form.js';
import { Ago, formatCount } from '../layout/formatting.js';
import { type List, readList, withQuery } from '../layout/list.js';
import { LiveRegion } from '../layout/live-region.js';
import { pageCount, readPaging } from '../layout/paging.js';
import { KeyChoice, type KeysToChoose } from './key-choice.js';
import { OperationSelect } from './usage-parts.js';
import { operationTitle } from './usage-query.js';
import { Actions } from '../layout/actions.js';

const BADGES: Readonly<Record<Outcome, string>> = {
  '2xx': 'badge good',
  '4xx': 'badge warn',
  '5xx': 'badge danger',
  refused: 'badge',
};

export const StatusBadge = ({ outcome, status }: Pick<LoggedRequest, 'outcome' | 'status'>) => (
  <span class={BADGES[outcome]}>{status}</span>
);

export function ExactTime({ timeMs }: { readonly timeMs: number }) {
  const iso = new Date(timeMs).toISOString();
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 19)}`}</time>;
}

/** The path of the log of an account's latest requests. The page of each request is below it. */
export const REQUESTS_PATH = '/requests';
export const requestPath = (requestId: string): string => `${REQUESTS_PATH}/${encodeURIComponent(requestId)}`;

/** The value of the outcome filter that selects all outcomes but 2xx. */
export const NOT_ANSWERED = 'failed';

/** The outcomes that the value of the outcome filter selects: a single one, all but 2xx, or all. */
export const outcomesOf = (filter: string): readonly Outcome[] =>
  filter === NOT_ANSWERED ? OUTCOMES.filter((one) => one !== '2xx') : isOutcome(filter) ? [filter] : OUTCOMES;

/** Parses a time filter in UTC to milliseconds since 1970; undefined if it is empty or invalid. */
export function timeOf(text: string): number | undefined {
  const timeMs = /^\d{4}-\d\d-\d\dT\d\d:\d\d/u.test(text) ? Date.parse(`${text}Z`) : NaN;
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

type LogEntry = LoggedRequest & Partial<AccountRequest>;

const KEY_COLUMN: Column<LogEntry> = {
  title: 'Key',
  cell: ({ keyId = 0, keyName = null, keyPrefix: prefix = '' }) => (
    <KeyLink ownKey={{ name: keyName, prefix }} href={keyPath(keyId)} />
  ),
};

const columnsFor = (isOwn: boolean): readonly Column<LogEntry>[] => [
  {
    title: 'Answered (UTC)',
    kind: 'time',
    sort: 'time',
    cell: ({ atMs, requestId }) => (
      <>
        {isOwn ? (
          <a href={requestPath(requestId)}>
            <ExactTime timeMs={atMs} />
          </a>
        ) : (
          <ExactTime timeMs={atMs} />
        )}{' '}
        <Ago timeMs={atMs} />
      </>
    ),
  },
  {
    title: 'Operation',
    class: 'log-operation',
    cell: ({ operation, page }) => (
      <>
        {operationTitle(operation)}
        {page === undefined ? null : <div class="muted">{page}</div>}
      </>
    ),
  },
  { title: 'Status', sort: 'status', cell: (request) => <StatusBadge {...request} /> },
  {
    title: 'Took',
    kind: 'number',
    sort: 'duration',
    cell: ({ elapsedMs }) => `${elapsedMs.toLocaleString('en-GB')} ms`,
  },
  { title: 'Rejection', class: 'log-words', cell: ({ rejection }) => rejection },
  ...(isOwn ? [KEY_COLUMN] : []),
  {
    title: 'Request',
    class: 'breaks',
    isLesser: isOwn,
    cell: ({ requestId }) => <code>{requestId}</code>,
  },
];

/**
 * The values by which the log can be sorted. It is sorted here and not by the database, because it has a limited size
 * and is read as a whole.
 */
const SORTED_BY = {
  time: ({ atMs }: LoggedRequest) => atMs,
  status: ({ status }: LoggedRequest) => status,
  duration: ({ elapsedMs }: LoggedRequest) => elapsedMs,
} as const;

const LIST = {
  sorts: [
    { by: 'time', isDescending: true },
    { by: 'status', isDescending: true },
    { by: 'duration', isDescending: true },
  ],
  filters: ['key', 'operation', 'outcome', 'from', 'to', 'text'],
  perPage: 50,
} as const;

type LogList = List<keyof typeof SORTED_BY, (typeof LIST)['filters'][number]>;

/** Reads the order, filters and page of the log from an address. */
export const readLogList = (path: string, query: unknown): LogList => readList(query, { ...LIST, path });

const textOf = ({ requestId, rejection = '', page = '', operation, status }: LoggedRequest) =>
  `${requestId} ${rejection} ${page} ${operation} ${operationTitle(operation)} ${status}`.toLowerCase();

/** The requests that match the filters other than the key, sorted; requests with equal values stay newest first. */
function filterAndSort(log: readonly LogEntry[], { filters, sort: { by, isDescending } }: LogList) {
  const { operation, outcome, from, to, text } = filters;
  const [fromMs = -Infinity, toMs = Infinity] = [timeOf(from), timeOf(to)];
  const outcomes = outcomesOf(outcome);
  const rows = log.filter(
    (entry) =>
      (operation === '' || entry.operation === operation) &&
      outcomes.includes(entry.outcome) &&
      entry.atMs >= fromMs &&
      entry.atMs < toMs &&
      (text === '' || textOf(entry).includes(text.toLowerCase())),
  );
  const sign = isDescending ? -1 : 1;
  return rows.sort((one, other) => sign * (SORTED_BY[by](one) - SORTED_BY[by](other)));
}

function LogFilters({ list, keys }: { readonly list: LogList; readonly keys: KeysToChoose | undefined }) {
  const { key, operation, outcome, from, to, text } = list.filters;
  return (
    <FilterForm list={list}>
      {keys === undefined ? null : (
        <KeyChoice from={keys} chosen={key} ownerOf={({ projectName }) => projectName} allPath="/keys" />
      )}
      <OperationSelect chosen={operation} />
      <ChoiceField
        name="outcome"
        label="Ended"
        value={outcome}
        any="In any way"
        choices={[
          [NOT_ANSWERED, 'Without an answer'],
          ...OUTCOMES.map((one) => [one, OUTCOME_WORDS[one].label] as const),
        ]}
      />
      <FilterField type="datetime-local" name="from" label="From (UTC)" value={from} />
      <FilterField type="datetime-local" name="to" label="Before (UTC)" value={to} />
      <FilterField name="text" label="Text: rejection, page or request" value={text} />
    </FilterForm>
  );
}

interface RequestLogProps {
  readonly list: LogList;
  readonly log: readonly LogEntry[];
  readonly keys?: KeysToChoose;
  /** Whether the account records the addresses of captured pages. */
  readonly logsPages: boolean;
  /** The path of the setting that decides whether page addresses are recorded, for people who may change it. */
  readonly settingPath?: string;
}

type RetentionProps = Pick<RequestLogProps, 'logsPages' | 'settingPath'> & { readonly isOfAllKeys: boolean };

const RetentionNote = ({ logsPages, settingPath, isOfAllKeys }: RetentionProps) => (
  <p class="muted">
    Of each key, the last {formatCount(LIMITS.requestLog.answered)} answered requests of the last{' '}
    {LIMITS.requestLog.days} days, and apart from them the last {LIMITS.requestLog.wrong} wrong,{' '}
    {LIMITS.requestLog.failed} failed and {LIMITS.requestLog.refused} refused ones.
    {isOfAllKeys ? ` Shown are at most the newest ${formatCount(MOST_READ)} with each outcome.` : ''} No body
    is kept
    {logsPages ? '; of the address of a page there is the host and the path' : ', and no address of a page'}.
    The words of a rejection may name a postcode that was asked for.
    {settingPath === undefined ? null : (
      <>
        {' '}
        <a href={settingPath}>Choose what is kept</a>
      </>
    )}
  </p>
);

export function RequestLog({ list, log, keys, ...filter }: RequestLogProps) {
  const rows = filterAndSort(log, list);
  const { limit } = list.paging;
  const paging = readPaging(String(Math.min(list.paging.page, pageCount(rows.length, list.paging))), limit);
  const pageRows = rows.slice(paging.offset, paging.offset + limit);
  return (
    <>
      <Actions
        links={[[withQuery(list.path, { ...list.filters, outcome: NOT_ANSWERED }), 'Without an answer only']]}
      />
      <LogFilters list={list} keys={keys} />
      <LiveRegion>
        <DataTable
          label="Requests"
          columns={columnsFor(keys !== undefined)}
          rows={pageRows}
          empty={
            <p>
              {log.length === 0 && !list.isFiltered
                ? `No request in the last ${LIMITS.requestLog.days} days.`
                : 'No request matches. Show all, or change the filter.'}
            </p>
          }
          sorting={list}
          pages={{ paging, total: rows.length, pathOf: list.pagePath }}
        />
      </LiveRegion>
      <RetentionNote {...filter} isOfAllKeys={keys !== undefined} />
    </>
  );
}
