import { ERRORS } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import type { LoggedRequest } from '../../usage/read-request-log.js';
import { LOG_SETTING_PATH } from '../accounts/account-cards.js';
import { OUTCOME_WORDS } from '../chart/outcome-chart.js';
import { KeyLink } from '../keys/key-display.js';
import { keyPath, requireOwnKey } from '../keys/own-key.js';
import { Actions } from '../layout/actions.js';
import { CodeBlock } from '../layout/copyable.js';
import { formFields } from '../layout/form-data.js';
import { withQuery } from '../layout/list.js';
import { operationPath } from '../layout/operation-path.js';
import { signedInPage } from '../routing/page.js';
import { keysToChoose } from './key-choice.js';
import {
  ExactTime,
  outcomesOf,
  readLogList,
  RequestLog,
  REQUESTS_PATH,
  StatusBadge,
  timeOf,
} from './request-log.js';
import { isKeyId, operationTitle } from './usage-query.js';
import { Facts } from '../layout/facts.js';

/** GET /requests: the latest requests of the signed-in person's keys, or those that match the filters. */
export const requestsPage = signedInPage(REQUESTS_PATH, {
  menuLabel: 'Requests',
  get: async (context) => {
    const { deps, domain, user, request } = context;
    const accountId = user.account.id;
    const list = readLogList(REQUESTS_PATH, request.query);
    const { key, outcome, from, to } = list.filters;
    const keyId = isKeyId(key) ? Number(key) : undefined;
    const [log, keys] = await Promise.all([
      deps.history.logOfAccount({
        accountId,
        keyId,
        outcomes: outcomesOf(outcome),
        fromMs: timeOf(from),
        toMs: timeOf(to),
      }),
      keysToChoose(domain, { accountId }, keyId === undefined ? '' : key),
    ]);
    return context.render(
      { title: 'Requests' },
      <>
        <div class="page-head">
          <h1>Requests</h1>
        </div>
        <RequestLog
          list={list}
          log={log}
          keys={keys}
          logsPages={user.account.logsPages}
          settingPath={LOG_SETTING_PATH}
        />
      </>,
    );
  },
});

/** GET /keys/:keyId/requests: an old address of the log of one key, which redirects. */
export const keyRequestsPage = signedInPage('/keys/:keyId/requests', {
  get: async (context) => {
    const key = await requireOwnKey(context);
    return context.redirect(withQuery(REQUESTS_PATH, { key: String(key.id) }));
  },
});

const textOf = ({ atMs, operation, status, elapsedMs, requestId, rejection, page }: LoggedRequest) =>
  Object.entries({
    Request: requestId,
    Answered: new Date(atMs).toISOString(),
    Operation: operation,
    Page: page,
    Status: status,
    Took: `${elapsedMs} ms`,
    Rejection: rejection,
  })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
    .join('\n');

function RejectionReason({ status, rejection }: Pick<LoggedRequest, 'status' | 'rejection'>) {
  if (rejection === undefined) return null;
  const error = Object.values(ERRORS).find((one) => one.status === status);
  return (
    <p class="notice">
      {rejection} <span class="cure">{error?.cure}</span>
    </p>
  );
}

/** GET /requests/:requestId: one request, the reason if it failed, and a link to try it again. */
export const requestPage = signedInPage(`${REQUESTS_PATH}/:requestId`, {
  get: async (context) => {
    const { deps, domain, user, request } = context;
    const { requestId } = formFields(request.params, ['requestId']);
    const logged = await deps.history.findRequest(requestId, user.account.id);
    const log = logged === undefined ? [] : await deps.history.logOfKey(logged.keyId);
    const entry = log.find((one) => one.requestId === requestId);
    if (logged === undefined || entry === undefined)
      throw new ServiceError('notFound', 'The log has no such request of yours, or no longer has it.');
    const { keys } = await keysToChoose(domain, { accountId: user.account.id }, String(logged.keyId));
    const key = keys.find(({ id }) => id === logged.keyId);
    const { operation, outcome, atMs, elapsedMs, page } = entry;
    const like = { key: String(logged.keyId), outcome: outcome === '2xx' ? '' : outcome };
    const again = `${operationPath(operation, { key: String(logged.keyId) })}#again-${requestId}`;
    return context.render(
      { crumbs: [[REQUESTS_PATH, 'Requests']], title: `Request ${requestId}` },
      <>
        <h1>{operationTitle(operation)}</h1>
        <RejectionReason {...entry} />
        <Facts
          facts={[
            [
              'Status',
              <>
                <StatusBadge {...entry} /> {OUTCOME_WORDS[outcome].label}
              </>,
            ],
            ['Answered (UTC)', <ExactTime timeMs={atMs} />],
            ['Took', `${elapsedMs.toLocaleString('en-GB')} ms`],
            ['Page', page !== undefined && page],
            ['Key', key !== undefined && <KeyLink ownKey={key} href={keyPath(key.id)} />],
          ]}
        />
        <Actions
          links={[
            [again, 'Try again', 'main'],
            [withQuery(REQUESTS_PATH, like), 'Others like it'],
            ...(entry.status === ERRORS.rateLimited.status
              ? [[withQuery('/higher-limits', { key: like.key }), 'Ask for higher limits'] as const]
              : []),
          ]}
        />
        <h2>To pass on</h2>
        <CodeBlock id="request-text" label="The request as text" code={textOf(entry)} />
        <p class="muted">
          No body is kept here. “Try again” fills the form with what this browser sent, if it was sent from
          here.
        </p>
      </>,
    );
  },
});
