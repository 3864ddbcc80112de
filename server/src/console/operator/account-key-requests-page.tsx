import { operatorPage } from '../routing/page.js';
import { readLogList, RequestLog } from '../usage/request-log.js';
import {
  accountPath,
  ACCOUNTS_PATH,
  ALL_USAGE_PATH,
  requestsPath,
  requireAccount,
  requireKey,
} from './account-route.js';

/** GET …/keys/:keyId/requests: the latest requests of one of the account's keys. */
export const accountKeyRequestsPage = operatorPage('/operator/accounts/:accountId/keys/:keyId/requests', {
  get: async (context) => {
    const account = await requireAccount(context);
    const key = await requireKey(context, account);
    const log = await context.deps.history.logOfKey(key.id);
    return context.render(
      { title: `Requests of key ${key.prefix}` },
      <>
        <p class="crumbs">
          <a href={ACCOUNTS_PATH}>Accounts</a> · <a href={accountPath(account.id)}>{account.email}</a> ·{' '}
          {key.projectName}
        </p>
        <h1 class="key-name">
          Requests of <code>{key.prefix}…</code>
        </h1>
        <p>
          <a href={`${ALL_USAGE_PATH}?key=${key.id}`}>Its usage by operation and time</a>
        </p>
        <RequestLog
          list={readLogList(requestsPath(account.id, key.id), context.request.query)}
          log={log}
          logsPages={account.logsPages}
        />
      </>,
    );
  },
});
