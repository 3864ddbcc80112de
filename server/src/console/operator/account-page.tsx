import { enableAccount, setAccountLimits, setApiAccess, setOperator } from '../../accounts/account-state.js';
import type { Account } from '../../accounts/account.js';
import { listProjects } from '../../accounts/project.js';
import { approveRequest, findApiAccessRequest } from '../../inbox/inbox.js';
import { disableKey, enableKey, setKeyLimits } from '../../keys/change-key.js';
import { listKeysByProject } from '../../keys/find-keys.js';
import { isLive } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import { MIN_CAPTURES, parseLimit } from '../../platform/limit.js';
import { fieldProblems, formFields } from '../layout/form-data.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import {
  AccountActions,
  AccountBadges,
  AccountFacts,
  AccountLimitsForm,
  type RefusedAccountLimits,
} from './account-card.js';
import { AccountKeys, keyAnchor, pageOfKeys, type RefusedLimits } from './account-keys.js';
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
import { OperatorTabs } from './operator-tabs.js';
import { operatorPage } from '../routing/page.js';

/** Limits that were entered on the page and rejected: of a key or of the account. */
interface Refused {
  readonly key?: RefusedLimits;
  readonly account?: RefusedAccountLimits;
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
async function showAccount(context: SignedInContext, account: Account, refused: Refused = {}) {
  const { defaultLimits, accountLimits, capturesPerAccount } = context.deps;
  const [projects, keys] = await Promise.all([
    listProjects(context.domain, account.id),
    listKeysByProject(context.domain, account.id),
  ]);
  return context.render(
    { title: account.email, status: (refused.key ?? refused.account)?.problems.status ?? 200 },
    <>
      <OperatorTabs />
      <p class="crumbs">
        <a href={ACCOUNTS_PATH}>Accounts</a>
      </p>
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
      <section class="card">
        <h2 class="visually-hidden">The account</h2>
        <AccountFacts account={account} />
        <AccountActions account={account} isOwn={isOwnAccount(context, account)} />
      </section>
      <section class="card" aria-labelledby="limits">
        <h2 id="limits">Limits of the account</h2>
        <AccountLimitsForm
          account={account}
          defaultLimits={accountLimits}
          defaultQuota={capturesPerAccount}
          refused={refused.account}
        />
      </section>
      <AccountKeys
        account={account}
        projects={projects}
        keys={keys}
        shown={pageOfKeys(context, keys.live, refused.key?.keyId)}
        defaultLimits={defaultLimits}
        refused={refused.key}
      />
    </>,
  );
}

const accountPage = operatorPage('/operator/accounts/:accountId', {
  get: async (context) => showAccount(context, await requireAccount(context)),
});

const apiAccess = operatorPage('/operator/accounts/:accountId/api-access', {
  post: async (context) => {
    const account = await requireAccount(context);
    const { state } = formFields(context.request.body, ['state']);
    if (state !== 'on' && state !== 'off') {
      throw new ServiceError('invalidRequest', 'The state of API access must be "on" or "off".');
    }
    const { domain } = context;
    const request = state === 'on' ? await findApiAccessRequest(domain, account.id) : undefined;
    if (request === undefined) await setApiAccess(domain, account.id, state === 'on');
    else await approveRequest(domain, request, (within) => setApiAccess(within, account.id, true));
    return context.redirect(`${accountPath(account.id)}?done=api-access-${state}`);
  },
  leadsTo: accountPathOf,
});

/** POST …/limits: changes all limits of the account, or shows the problem of each. */
const limitsOfAccount = operatorPage('/operator/accounts/:accountId/limits', {
  post: async (context) => {
    const account = await requireAccount(context);
    const typed = formFields(context.request.body, ['perMinute', 'perDay', 'captures']);
    const limits = {
      perMinute: () => parseLimit(typed.perMinute),
      perDay: () => parseLimit(typed.perDay),
      captures: () => parseLimit(typed.captures, MIN_CAPTURES),
    };
    const problems = fieldProblems(limits);
    if (problems !== undefined) return showAccount(context, account, { account: { ...typed, problems } });
    await setAccountLimits(context.domain, account.id, {
      perMinute: limits.perMinute(),
      perDay: limits.perDay(),
      captures: limits.captures(),
    });
    return context.redirect(`${accountPath(account.id)}?done=account-limits`);
  },
  leadsTo: accountPathOf,
});

const enabling = operatorPage('/operator/accounts/:accountId/enable', {
  post: async (context) => {
    const account = await requireAccount(context);
    await enableAccount(context.domain, account.id);
    return context.redirect(`${accountPath(account.id)}?done=enabled`);
  },
  leadsTo: accountPathOf,
});

/** POST …/operator: grants or removes operator rights. */
export const operatorRights = operatorPage('/operator/accounts/:accountId/operator', {
  post: async (context) => {
    const account = await requireAccount(context);
    const { state } = formFields(context.request.body, ['state']);
    if (state !== 'on' && state !== 'off') {
      throw new ServiceError('invalidRequest', 'The state must be "on" or "off".');
    }
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

/** POST …/limits: changes both limits of a key, or shows the problem of each. */
const keyLimits = operatorPage('/operator/accounts/:accountId/keys/:keyId/limits', {
  post: async (context) => {
    const account = await requireAccount(context);
    const key = await requireKey(context, account);
    if (!isLive(key))
      return context.redirect(`${accountPath(account.id)}?done=was-revoked&which=${key.prefix}`);
    const { perMinute, perDay } = formFields(context.request.body, ['perMinute', 'perDay']);
    const problems = fieldProblems({
      perMinute: () => parseLimit(perMinute),
      perDay: () => parseLimit(perDay),
    });
    if (problems !== undefined) {
      return showAccount(context, account, { key: { keyId: key.id, perMinute, perDay, problems } });
    }
    await setKeyLimits(context.domain, key, {
      perMinute: parseLimit(perMinute),
      perDay: parseLimit(perDay),
    });
    return context.redirect(`${accountPath(account.id)}?done=limits&key=${key.id}#${keyAnchor(key.id)}`);
  },
  leadsTo: accountPathOf,
});

/** POST …/disable and …/enable: disables or enables a key. Only an operator can enable a disabled key. */
const keyState = (act: 'disable' | 'enable') =>
  operatorPage(`/operator/accounts/:accountId/keys/:keyId/${act}`, {
    post: async (context) => {
      const account = await requireAccount(context);
      const key = await requireKey(context, account);
      if (!isLive(key))
        return context.redirect(`${accountPath(account.id)}?done=was-revoked&which=${key.prefix}`);
      await (act === 'disable' ? disableKey : enableKey)(context.domain, key, 'operator');
      const changed = `done=key-${act}d&key=${key.id}#${keyAnchor(key.id)}`;
      return context.redirect(`${accountPath(account.id)}?${changed}`);
    },
    leadsTo: accountPathOf,
  });

/** The page of one account, and the changes that need no confirmation because they can be undone at once. */
export const accountPages = [
  accountPage,
  apiAccess,
  operatorRights,
  limitsOfAccount,
  enabling,
  keyLimits,
  keyState('disable'),
  keyState('enable'),
];
