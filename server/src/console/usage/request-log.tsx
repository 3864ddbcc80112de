import { LIMITS } from '@signpost/contract';
import { type Outcome, OUTCOMES } from '../../usage/recorded-request.js';
import type { LoggedRequest } from '../../usage/read-request-log.js';
import { OUTCOME_WORDS } from '../chart/outcome-chart.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { ChoiceField, FilterForm, SearchField } from '../layout/filter-form.js';
import { formatCount } from '../layout/formatting.js';
import { type List, readList } from '../layout/list.js';
import { LiveRegion } from '../layout/live-region.js';
import { pageCount, PageLinks, readPaging } from '../layout/paging.js';
import { OperationSelect } from './usage-parts.js';
import { operationTitle } from './usage-query.js';

const BADGES: Readonly<Record<Outcome, string>> = {
  '2xx': 'badge good',
  '4xx': 'badge warn',
  '5xx': 'badge danger',
  refused: 'badge',
};

/** A time to the second. */
function ExactTime({ timeMs }: { readonly timeMs: number }) {
  const iso = new Date(timeMs).toISOString();
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 19)}`}</time>;
}

const COLUMNS: readonly Column<LoggedRequest>[] = [
  { title: 'Answered (UTC)', kind: 'time', sort: 'time', cell: ({ atMs }) => <ExactTime timeMs={atMs} /> },
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
  {
    title: 'Status',
    sort: 'status',
    cell: ({ outcome, status }) => <span class={BADGES[outcome]}>{status}</span>,
  },
  {
    title: 'Took',
    kind: 'number',
    sort: 'duration',
    cell: ({ elapsedMs }) => `${elapsedMs.toLocaleString('en-GB')} ms`,
  },
  { title: 'Refusal', class: 'log-words', cell: ({ refusal }) => refusal },
  { title: 'Request', class: 'breaks', cell: ({ requestId }) => <code>{requestId}</code> },
];

/** A key's log has a bounded size and is read as a whole, so sort and page it here. */
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
  filters: ['operation', 'outcome', 'request', 'page'],
  perPage: 50,
} as const;

type LogList = List<keyof typeof SORTED_BY, (typeof LIST)['filters'][number]>;

/** The requests that match the filters, sorted; newest first among equals. */
function choose(log: readonly LoggedRequest[], { filters, sort: { by, isDescending } }: LogList) {
  const { operation, outcome, request, page } = filters;
  const found = log.filter(
    (one) =>
      (operation === '' || one.operation === operation) &&
      (outcome === '' || one.outcome === outcome) &&
      (request === '' || one.requestId === request) &&
      (page === '' || one.page?.includes(page) === true),
  );
  const sign = isDescending ? -1 : 1;
  return found.sort((one, other) => sign * (SORTED_BY[by](one) - SORTED_BY[by](other)));
}

function LogFilters({ list, logsPages }: { readonly list: LogList; readonly logsPages: boolean }) {
  const { operation, outcome, request, page } = list.filters;
  return (
    <FilterForm list={list}>
      <OperationSelect chosen={operation} />
      <ChoiceField
        name="outcome"
        label="Ended"
        value={outcome}
        any="In any way"
        choices={OUTCOMES.map((one) => [one, OUTCOME_WORDS[one].label] as const)}
      />
      <SearchField name="request" label="X-Request-Id" value={request} />
      {logsPages ? <SearchField name="page" label="Page, by a part of its address" value={page} /> : null}
    </FilterForm>
  );
}

interface RequestLogProps {
  /** The path of the page. */
  readonly path: string;
  readonly log: readonly LoggedRequest[];
  readonly query: unknown;
  /** Whether the key's account records page addresses. */
  readonly logsPages: boolean;
  /** The path of the setting for that, for people who may change it. */
  readonly settingPath?: string;
}

/** The log of a key, with filters. */
export function RequestLog({ path, log, query, logsPages, settingPath }: RequestLogProps) {
  const list = readList(query, { ...LIST, path });
  const found = choose(log, list);
  const { limit } = list.paging;
  const paging = readPaging(String(Math.min(list.paging.page, pageCount(found.length, list.paging))), limit);
  const shown = found.slice(paging.offset, paging.offset + limit);
  return (
    <>
      <p class="muted">
        The last {formatCount(LIMITS.requestLog.answered)} answered requests of the last{' '}
        {LIMITS.requestLog.days} days, and the last {LIMITS.requestLog.failed} with each other outcome. No
        body is kept
        {logsPages
          ? '; of the address of a page there is the host and the path'
          : ', and no address of a page'}
        . The words of a refusal may name a postcode that was asked for.
        {settingPath === undefined ? null : (
          <>
            {' '}
            <a href={settingPath}>Choose what is kept</a>
          </>
        )}
      </p>
      <LogFilters list={list} logsPages={logsPages} />
      <LiveRegion>
        {found.length === 0 ? (
          <p>
            {log.length === 0
              ? 'No request in the last 7 days.'
              : 'No request matches. Show all, or change the filter.'}
          </p>
        ) : (
          <>
            <DataTable
              label="Requests"
              columns={COLUMNS}
              rows={shown}
              idOf={({ requestId, atMs }) => `${requestId} ${atMs}`}
              sorting={list}
            />
            <PageLinks paging={paging} total={found.length} pathOf={list.pagePath} />
          </>
        )}
      </LiveRegion>
    </>
  );
}
