import { z } from 'zod';
import { enableAccount, setAccountLimits, setApiAccess, setOperator } from '../../accounts/account-state.js';
import type { Account } from '../../accounts/account.js';
import { listProjects } from '../../accounts/project.js';
import { approveRequest, findApiAccessRequest } from '../../inbox/inbox.js';
import { setKeyLimits } from '../../keys/change-key.js';
import { listKeysByProject } from '../../keys/find-keys.js';
import { isLive, type Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import { MIN_CAPTURES, parseLimit } from '../../platform/limit.js';
import { keyActionPages } from '../keys/key-actions.js';
import { LIMITS_FORM } from '../keys/limit-fields.js';
import { field, type FormProblems } from '../layout/form-data.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import {
  AccountActions,
  AccountBadges,
  AccountFacts,
  AccountLimitsForm,
  RareActions,
} from './account-card.js';
import { AccountKeys, keyAnchor, pageOfKeys, type RejectedLimits } from './account-keys.js';
import {
  accountPath,
  accountPathOf,
  ACCOUNTS_PATH,
  auditOfAccountPath,
  isOwnAccount,
  requireAccount,
  requireKey,
  usageOfAccountPath,
} from './account-route.js';
import { operatorPage } from '../routing/page.js';

const PATH = '/operator/accounts/:accountId';
const KEY_PATH = `${PATH}/keys/:keyId`;

/** Limits that were entered and rejected: those of a key, or of the account. */
interface Rejected {
  readonly key?: RejectedLimits;
  readonly account?: FormProblems;
}

const DONE = new Map([
  ['api-access-on', 'API access is on.'],
  ['api-access-off', 'API access is off: the tokens of this account are refused from now on.'],
  [
    'account-limits',
    'The limits of the account are changed. Limits of requests apply at once, of captures within seconds.',
  ],
  ['disabled', 'The account is disabled: its keys, tokens and sessions are refused from now on.'],
  ['enabled', 'The account is enabled: its keys work again.'],
  ['operator-on', 'The account is now an operator.'],
  ['operator-off', 'The account is no longer an operator.'],
  ['revoked', 'The {key} is revoked: its next request is refused.'],
  ['second-factor-off', 'The second factor is off: the password is enough to sign in.'],
  ['was-revoked', 'The {key} was revoked or had ended already, so nothing was changed.'],
]);

/** Shows the page of one account, with rejected limits if there are any. */
async function showAccount(context: SignedInContext, account: Account, rejected: Rejected = {}) {
  const { defaultLimits, accountLimits, capturesPerAccount } = context.deps;
  const isOwn = isOwnAccount(context, account);
  const [projects, keys] = await Promise.all([
    listProjects(context.domain, account.id),
    listKeysByProject(context.domain, account.id),
  ]);
  return context.render(
    {
      crumbs: [[ACCOUNTS_PATH, 'Accounts']],
      title: account.email,
      problems: rejected.key?.problems ?? rejected.account,
    },
    <>
      <div class="page-head">
        <div class="operator-title">
          <h1>{account.email}</h1>
          <AccountBadges account={account} />
        </div>
        <p class="actions">
          <a class="button secondary" href={usageOfAccountPath(account.id)}>
            Usage
          </a>
          <a class="button secondary" href={auditOfAccountPath(account.id)}>
            Audit
          </a>
        </p>
      </div>
      <DoneNotice sentences={DONE} />
      <section class="card" aria-labelledby="limits">
        <h2 id="limits">Limits of all keys together</h2>
        <AccountLimitsForm
          account={account}
          defaultLimits={accountLimits}
          defaultQuota={capturesPerAccount}
          problems={rejected.account}
        />
      </section>
      <section class="card" aria-labelledby="account">
        <h2 id="account">The account</h2>
        <AccountFacts account={account} />
        <AccountActions account={account} isOwn={isOwn} />
      </section>
      <AccountKeys
        account={account}
        projects={projects}
        keys={keys}
        shown={pageOfKeys(context, keys.live, rejected.key?.keyId)}
        defaultLimits={defaultLimits}
        rejected={rejected.key}
      />
      {isOwn ? null : <RareActions account={account} />}
    </>,
  );
}

const accountPage = operatorPage(PATH, {
  get: async (context) => showAccount(context, await requireAccount(context)),
});

const SWITCH = z.object({ state: z.enum(['on', 'off'], { error: 'The state must be "on" or "off".' }) });

const apiAccess = operatorPage(`${PATH}/api-access`, {
  post: async (context) => {
    const { domain } = context;
    const { id } = await requireAccount(context);
    const { state } = context.readForm(SWITCH);
    const request = state === 'on' ? await findApiAccessRequest(domain, id) : undefined;
    if (request === undefined) await setApiAccess(domain, id, state === 'on');
    else await approveRequest(domain, request, (within) => setApiAccess(within, id, true));
    return context.redirect(`${accountPath(id)}?done=api-access-${state}`);
  },
  leadsTo: accountPathOf,
});

const ACCOUNT_LIMITS_FORM = LIMITS_FORM.extend({
  captures: field((text) => parseLimit(text, MIN_CAPTURES)),
});

/** POST …/limits: changes all limits of the account, or shows the problem of each. */
const limitsOfAccount = operatorPage(`${PATH}/limits`, {
  post: async (context) => {
    const account = await requireAccount(context);
    try {
      await setAccountLimits(context.domain, account.id, context.readForm(ACCOUNT_LIMITS_FORM));
    } catch (error) {
      return showAccount(context, account, { account: context.problemsOf(error) });
    }
    return context.redirect(`${accountPath(account.id)}?done=account-limits`);
  },
  leadsTo: accountPathOf,
});

const enabling = operatorPage(`${PATH}/enable`, {
  post: async (context) => {
    const account = await requireAccount(context);
    await enableAccount(context.domain, account.id);
    return context.redirect(`${accountPath(account.id)}?done=enabled`);
  },
  leadsTo: accountPathOf,
});

/** POST …/operator: grants or removes operator rights. */
const operatorRights = operatorPage(`${PATH}/operator`, {
  post: async (context) => {
    const account = await requireAccount(context);
    const { state } = context.readForm(SWITCH);
    if (isOwnAccount(context, account)) {
      throw new ServiceError(
        'invalidRequest',
        'You cannot change this for your own account. Ask another operator.',
      );
    }
    await setOperator(context.domain, account.id, state === 'on');
    return context.redirect(`${accountPath(account.id)}?done=operator-${state}`);
  },
  leadsTo: accountPathOf,
});

const findKey = async (context: SignedInContext): Promise<Key> =>
  requireKey(context, await requireAccount(context));

/** The page of the account after an action on one of its keys, with the outcome. */
function resultPath({ id, prefix, accountId }: Key, outcome: string): string {
  const path = accountPath(accountId);
  if (outcome === 'ended') return `${path}?done=was-revoked&which=${prefix}`;
  if (outcome === 'revoked') return `${path}?done=revoked&which=${prefix}`;
  return `${path}?done=key-${outcome}&key=${id}#${keyAnchor(id)}`;
}

/** POST …/limits: changes both limits of a key, or shows the problem of each. */
const keyLimits = operatorPage(`${KEY_PATH}/limits`, {
  post: async (context) => {
    const key = await findKey(context);
    if (!isLive(key)) return context.redirect(resultPath(key, 'ended'));
    try {
      await setKeyLimits(context.domain, key, context.readForm(LIMITS_FORM));
    } catch (error) {
      const rejected = { keyId: key.id, problems: context.problemsOf(error) };
      return showAccount(context, await requireAccount(context), { key: rejected });
    }
    return context.redirect(resultPath(key, 'limits'));
  },
  leadsTo: accountPathOf,
});

/** The page of one account, the changes that can be undone at once, and the actions on its keys. */
export const accountPages = [
  accountPage,
  apiAccess,
  operatorRights,
  limitsOfAccount,
  enabling,
  keyLimits,
  ...keyActionPages({
    by: 'operator',
    path: KEY_PATH,
    find: findKey,
    resultPath,
    backTo: accountPathOf,
  }),
];
