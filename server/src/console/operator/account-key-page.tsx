import { setKeyLimits } from '../../keys/change-key.js';
import { isLive, type Key } from '../../keys/key.js';
import { permissionWords } from '../../keys/permissions.js';
import type { Limits } from '../../usage/rate-limit.js';
import { effectiveLimits, remainingLimits } from '../../usage/read-key-usage.js';
import { KeyActions, keyActionPages } from '../keys/key-actions.js';
import { formatLimits, KeyHead } from '../keys/key-display.js';
import { LimitFields, LIMITS_FORM } from '../keys/limit-fields.js';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';
import { Facts } from '../layout/facts.js';
import { type FormProblems, formFields } from '../layout/form-data.js';
import { Form, Submit } from '../layout/form.js';
import { formatCount, Moment, Timestamp } from '../layout/formatting.js';
import { DoneNotice } from '../layout/notices.js';
import type { PageContext, SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { readLogList, RequestLog } from '../usage/request-log.js';
import {
  accountKeyPath,
  accountPath,
  ACCOUNTS_PATH,
  ALL_USAGE_PATH,
  requestsPath,
  requireAccount,
  requireKey,
} from './account-route.js';

const PATH = '/operator/accounts/:accountId/keys/:keyId';

const DONE = new Map([
  ['limits', 'The limits of the key are changed, from its next request on.'],
  ['disabled', 'The key is disabled: its requests are refused until an operator enables it.'],
  ['enabled', 'The key is enabled: it works from its next request on.'],
  ['revoked', 'The key is revoked: its next request is refused.'],
  ['ended', 'The key was revoked or had ended already, so nothing was changed.'],
]);

const findKey = async (context: SignedInContext): Promise<Key> =>
  requireKey(context, await requireAccount(context));

/** The limits of a key, and the form that changes them. */
const LimitsCard = ({ ownKey, defaults }: { readonly ownKey: Key; readonly defaults: Limits }) => (
  <Card id="limits" title={`Limits: ${formatLimits(effectiveLimits(ownKey, defaults))}`}>
    <Form action={`${accountKeyPath(ownKey.accountId, ownKey.id)}/limits`} class="row">
      <LimitFields of={ownKey.id} limits={ownKey} />
      <Submit>Set limits</Submit>
    </Form>
    <p class="hint">
      A whole number, or the word <code>unlimited</code>, or <code>default</code>: at present{' '}
      {formatLimits(defaults)} (UTC).
    </p>
  </Card>
);

async function showKey(context: SignedInContext, problems?: FormProblems) {
  const { deps, request } = context;
  const account = await requireAccount(context);
  const key = await requireKey(context, account);
  const [log, usage] = await Promise.all([deps.history.logOfKey(key.id), deps.usage.ofKey(key.id)]);
  const leftToday = remainingLimits(effectiveLimits(key, deps.defaultLimits), usage).perDay;
  return context.render(
    {
      crumbs: [
        [ACCOUNTS_PATH, 'Accounts'],
        [accountPath(account.id), account.email],
      ],
      title: key.name ?? `Key ${key.prefix}`,
      problems,
    },
    <>
      <KeyHead ownKey={key} leftToday={leftToday}>
        <KeyActions ownKey={key} path={accountKeyPath(account.id, key.id)} by="operator" />
      </KeyHead>
      <DoneNotice sentences={DONE} />
      <Facts
        facts={[
          ['Project', <bdi>{key.projectName}</bdi>],
          ['Created', <Timestamp timeMs={key.createdAtMs} />],
          ['Last used', key.lastUsedAtMs === null ? 'never' : <Moment timeMs={key.lastUsedAtMs} />],
          ['Requests today (UTC)', formatCount(usage.requestsToday)],
          ['May use', permissionWords(key.permissions) ?? false],
          ['Disabled', key.disabledAtMs !== null && <Timestamp timeMs={key.disabledAtMs} />],
          [
            key.state === 'expired' ? 'Ended' : 'Ends',
            key.revokedAtMs === null && key.endsAtMs !== null && <Timestamp timeMs={key.endsAtMs} />,
          ],
          ['Revoked', key.revokedAtMs !== null && <Timestamp timeMs={key.revokedAtMs} />],
        ]}
      />
      <Actions links={[[`${ALL_USAGE_PATH}?key=${key.id}`, 'Usage by operation and time']]} />
      {isLive(key) && <LimitsCard ownKey={key} defaults={deps.defaultLimits} />}
      <h2>Requests</h2>
      <RequestLog
        list={readLogList(requestsPath(account.id, key.id), request.query)}
        log={log}
        logsPages={account.logsPages}
      />
    </>,
  );
}

const resultPath = ({ id, accountId }: Key, outcome: string) =>
  `${requestsPath(accountId, id)}?done=${outcome}`;

const backTo = ({ request }: PageContext): string => {
  const { accountId, keyId } = formFields(request.params, ['accountId', 'keyId']);
  return requestsPath(accountId, keyId);
};

/** The page of a key of any account, with the key's limits and latest requests, and the actions on the key. */
export const accountKeyPages = [
  operatorPage(`${PATH}/requests`, { get: (context) => showKey(context) }),
  operatorPage(`${PATH}/limits`, {
    post: async (context) => {
      const key = await findKey(context);
      if (!isLive(key)) return context.redirect(resultPath(key, 'ended'));
      await setKeyLimits(context.domain, key, context.readForm(LIMITS_FORM));
      return context.redirect(resultPath(key, 'limits'));
    },
    onError: (context, error) => showKey(context, context.problemsOf(error)),
    leadsTo: backTo,
  }),
  ...keyActionPages({ by: 'operator', path: PATH, find: findKey, resultPath, backTo }),
];
