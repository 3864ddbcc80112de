import { type Outcome, OUTCOMES, isOutcome } from '../../usage/recorded-request.js';
import type { LoggedRequest } from '../../usage/read-request-log.js';
import { OUTCOME_WORDS } from '../chart/outcome-chart.js';
import { formFields } from '../layout/form-data.js';
import { LiveRegion } from '../layout/live-region.js';
import { pageCount, PageLinks, readPaging } from '../layout/paging.js';
import { OperationSelect } from './usage-parts.js';
import { OPERATIONS, operationTitle } from './usage-query.js';

const REQUESTS_PER_PAGE = 50;

interface LogQuery {
  readonly operation: string;
  readonly outcome: string;
  readonly request: string;
  readonly page: string;
}

const readLogQuery = (query: unknown): LogQuery => {
  const { operation, outcome, request, page } = formFields(query, [
    'operation',
    'outcome',
    'request',
    'page',
  ]);
  return {
    operation: OPERATIONS.some(({ id }) => id === operation) ? operation : '',
    outcome: isOutcome(outcome) ? outcome : '',
    request: request.trim(),
    page,
  };
};

const pathOf = (path: string, { operation, outcome, request }: LogQuery, page: number) => {
  const query = new URLSearchParams(
    Object.entries({ operation, outcome, request, page: page === 1 ? '' : String(page) }).filter(
      ([, value]) => value !== '',
    ),
  );
  return query.size === 0 ? path : `${path}?${query}`;
};

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

function RequestsTable({ requests }: { readonly requests: readonly LoggedRequest[] }) {
  return (
    <div class="table" tabindex={0} role="region" aria-label="Requests">
      <table aria-label="Requests">
        <thead>
          <tr>
            <th scope="col">Answered (UTC)</th>
            <th scope="col">Operation</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Milliseconds
            </th>
            <th scope="col">Refusal</th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ atMs, operation, status, outcome, elapsedMs, refusal, requestId }, index) => (
            <tr key={index}>
              <td class="nowrap">
                <ExactTime timeMs={atMs} />
              </td>
              <td class="nowrap">{operationTitle(operation)}</td>
              <td>
                <span class={BADGES[outcome]}>{status}</span>
              </td>
              <td class="number">{elapsedMs.toLocaleString('en-GB')}</td>
              <td class="log-words">{refusal}</td>
              <td class="nowrap">
                <code>{requestId}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LogFilters({ path, query }: { readonly path: string; readonly query: LogQuery }) {
  const { operation, outcome, request } = query;
  return (
    <form action={path} role="search" class="filters row">
      <OperationSelect chosen={operation} />
      <div class="field">
        <label for="outcome">Ended</label>
        <select id="outcome" name="outcome">
          <option value="">In any way</option>
          {OUTCOMES.map((one) => (
            <option key={one} value={one} selected={one === outcome}>
              {OUTCOME_WORDS[one].label}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="request">Request, by its X-Request-Id</label>
        <input id="request" name="request" type="search" value={request.slice(0, 300)} />
      </div>
      <button type="submit">Filter</button>
      {pathOf(path, query, 1) === path ? null : (
        <a class="button secondary" href={path}>
          Show all
        </a>
      )}
    </form>
  );
}

interface RequestLogProps {
  /** Where the page is. */
  readonly path: string;
  readonly log: readonly LoggedRequest[];
  readonly query: unknown;
}

/** The log of a key, with filters. */
export function RequestLog({ path, log, query: sent }: RequestLogProps) {
  const query = readLogQuery(sent);
  const { operation, outcome, request } = query;
  const found = log.filter(
    (one) =>
      (operation === '' || one.operation === operation) &&
      (outcome === '' || one.outcome === outcome) &&
      (request === '' || one.requestId === request),
  );
  const asked = readPaging(query.page, REQUESTS_PER_PAGE);
  const lastPage = pageCount(found.length, asked);
  const paging = asked.page > lastPage ? readPaging(String(lastPage), REQUESTS_PER_PAGE) : asked;
  const shown = found.slice(paging.offset, paging.offset + paging.limit);
  return (
    <>
      <p class="muted">
        The last 1,000 requests of the last 7 days, the newest first. No body and no address of a page is
        kept; the words of a refusal may name a postcode that was asked for.
      </p>
      <LogFilters path={path} query={query} />
      <LiveRegion>
        {found.length === 0 ? (
          <p>
            {log.length === 0
              ? 'No request in the last 7 days.'
              : 'No request fits. Show all, or filter otherwise.'}
          </p>
        ) : (
          <>
            <RequestsTable requests={shown} />
            <PageLinks paging={paging} total={found.length} pathOf={(page) => pathOf(path, query, page)} />
          </>
        )}
      </LiveRegion>
    </>
  );
}
