import { enableAccount, setAccountLimits, setApiAccess, setOperator } from '../../accounts/account-state.js';
import type { Account } from '../../accounts/account.js';
import { approveRequest, findApiAccessRequest } from '../../inbox/inbox.js';
import { listKeyPage } from '../../keys/list-keys.js';
import { ServiceError } from '../../platform/errors.js';
import { MIN_CAPTURES, parseLimit } from '../../platform/limit.js';
import { FilteredKeys, readKeyList, keyPageOf } from '../keys/keys-table.js';
import { LIMITS_FORM } from '../keys/limit-fields.js';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';
import { field, type FormProblems, SWITCH_FORM } from '../layout/form-data.js';
import { lastPagePath, withQuery } from '../layout/list.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import {
  AccountActions,
  AccountBadges,
  AccountFacts,
  AccountLimitsForm,
  RareActions,
} from './account-card.js';
import {
  accountPath,
  accountPathOf,
  ACCOUNTS_PATH,
  ALL_PROJECTS_PATH,
  auditOfAccountPath,
  isOwnAccount,
  requestsPath,
  requireAccount,
  usageOfAccountPath,
} from './account-route.js';

const PATH = '/operator/accounts/:accountId';

const DONE = new Map([
  ['api-access-on', 'API access is on.'],
  ['api-access-off', 'API access is off: the tokens of this account are refused from now on.'],
  [
    'limits',
    'The limits of the account are changed. Limits of requests apply at once, of captures within seconds.',
  ],
  ['disabled', 'The account is disabled: its keys, tokens and sessions are refused from now on.'],
  ['enabled', 'The account is enabled: its keys work again.'],
  ['operator-on', 'The account is now an operator.'],
  ['operator-off', 'The account is no longer an operator.'],
  ['second-factor-off', 'The second factor is off: the password is enough to sign in.'],
]);

async function showAccount(context: SignedInContext, problems?: FormProblems) {
  const account = await requireAccount(context);
  const { deps, domain, request } = context;
  const { id, email } = account;
  const isOwn = isOwnAccount(context, account);
  const list = readKeyList(accountPath(id), request.query);
  const found = await listKeyPage(domain, { ...keyPageOf(list), accountId: id });
  const lastPage = lastPagePath(list, found.total);
  if (lastPage !== undefined) return context.redirect(lastPage);
  return context.render(
    { crumbs: [[ACCOUNTS_PATH, 'Accounts']], title: email, problems },
    <>
      <div class="page-head">
        <div class="operator-title">
          <h1>{email}</h1>
          <AccountBadges account={account} />
        </div>
        <Actions
          links={[
            [usageOfAccountPath(id), 'Usage'],
            [withQuery(ALL_PROJECTS_PATH, { account: id }), 'Projects'],
            [auditOfAccountPath(id), 'Audit'],
          ]}
        />
      </div>
      <DoneNotice sentences={DONE} />
      <Card id="limits" title="Limits of all keys together">
        <AccountLimitsForm
          account={account}
          defaultLimits={deps.accountLimits}
          defaultQuota={deps.capturesPerAccount}
        />
      </Card>
      <Card id="account" title="The account">
        <AccountFacts account={account} />
        <AccountActions account={account} isOwn={isOwn} />
      </Card>
      <h2>Keys</h2>
      <FilteredKeys
        {...found}
        list={list}
        defaultLimits={deps.defaultLimits}
        pathOf={(key) => requestsPath(id, key.id)}
      />
      {isOwn ? null : <RareActions account={account} />}
    </>,
  );
}

/**
 * Makes the page that handles one form. `act` makes the change, and returns the key of the sentence in `DONE` to show.
 */
const changeOf = (name: string, act: (context: SignedInContext, account: Account) => Promise<string>) =>
  operatorPage(`${PATH}/${name}`, {
    post: async (context) => {
      const account = await requireAccount(context);
      return context.redirect(`${accountPath(account.id)}?done=${await act(context, account)}`);
    },
    onError:
      name === 'limits' ? (context, error) => showAccount(context, context.problemsOf(error)) : undefined,
    leadsTo: accountPathOf,
  });

const ACCOUNT_LIMITS_FORM = LIMITS_FORM.extend({
  captures: field((text) => parseLimit(text, MIN_CAPTURES)),
});

/** The page of one account, and the changes that can easily be undone. */
export const accountPages = [
  operatorPage(PATH, { get: (context) => showAccount(context) }),
  changeOf('api-access', async (context, { id }) => {
    const { domain } = context;
    const { state } = context.readForm(SWITCH_FORM);
    const request = state === 'on' ? await findApiAccessRequest(domain, id) : undefined;
    if (request === undefined) await setApiAccess(domain, id, state === 'on');
    else await approveRequest(domain, request, (within) => setApiAccess(within, id, true));
    return `api-access-${state}`;
  }),
  changeOf('operator', async (context, account) => {
    const { state } = context.readForm(SWITCH_FORM);
    if (isOwnAccount(context, account))
      throw new ServiceError(
        'invalidRequest',
        'You cannot change this for your own account. Ask another operator.',
      );
    await setOperator(context.domain, account.id, state === 'on');
    return `operator-${state}`;
  }),
  changeOf('limits', async (context, { id }) => {
    await setAccountLimits(context.domain, id, context.readForm(ACCOUNT_LIMITS_FORM));
    return 'limits';
  }),
  changeOf('enable', async ({ domain }, { id }) => {
    await enableAccount(domain, id);
    return 'enabled';
  }),
];
