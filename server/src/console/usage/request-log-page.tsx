import { LOG_SETTING_PATH } from '../accounts/account-cards.js';
import { keyPath, requireOwnKey } from '../keys/own-key.js';
import { signedInPage } from '../routing/page.js';
import { RequestLog } from './request-log.js';

/** GET /keys/:keyId/requests: the latest requests of one key, live or ended. */
export const requestLogPage = signedInPage('/keys/:keyId/requests', {
  get: async (context) => {
    const key = await requireOwnKey(context);
    const log = await context.deps.history.logOfKey(key.id);
    return context.render(
      { title: `Requests of key ${key.prefix}` },
      <>
        <p class="crumbs">
          <a href="/overview">Overview</a> · {key.projectName} ·{' '}
          <a href={keyPath(key.id)}>
            Key <code>{key.prefix}…</code>
          </a>
        </p>
        <div class="page-head">
          <h1>Requests</h1>
        </div>
        <RequestLog
          path={`${keyPath(key.id)}/requests`}
          log={log}
          query={context.request.query}
          logsPages={context.user.account.logsPages}
          settingPath={LOG_SETTING_PATH}
        />
      </>,
    );
  },
});
