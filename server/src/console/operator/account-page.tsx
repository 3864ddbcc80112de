import { enableAccount, setAccountLimits, setApiAccess } from '../../accounts/account-state.js';
import type { Account } from '../../accounts/account.js';
import { listProjects } from '../../accounts/project.js';
import { setLimits } from '../../keys/change-key.js';
import { ServiceError } from '../../platform/errors.js';
import { MIN_CAPTURES, parseLimit } from '../../platform/limit.js';
import { readShownKeys } from '../keys/shown-keys.js';
import { fieldProblems, formFields } from '../layout/form-data.js';
import { DoneNotice } from '../layout/notices.js';
import type { ConsoleDeps } from '../routing/console-deps.js';
import type { PageRouter, SignedInContext } from '../routing/page-router.js';
import {
  AccountActions,
  AccountBadges,
  AccountFacts,
  AccountLimitsForm,
  type RefusedAccountLimits,
} from './account-card.js';
import { AccountKeys, pageOfKeys, type RefusedLimits } from './account-keys.js';
import { accountPath, ACCOUNTS_PATH, isOwnAccount, requireAccount, requireKey } from './account-route.js';
import { OperatorTabs } from './operator-tabs.js';

/** What was typed on the page and not taken: the limits of a key, or of the account. */
interface Refused {
  readonly key?: RefusedLimits;
  readonly account?: RefusedAccountLimits;
}

const DONE = new Map([
  ['api-access-on', 'API access is on.'],
  ['api-access-off', 'API access is off: the tokens of this account are refused from now on.'],
  ['captures', 'The number of captures at the same time is changed, on every server within seconds.'],
  ['disabled', 'The account is disabled: its keys, tokens and sessions are refused from now on.'],
  ['enabled', 'The account is enabled: its keys work again.'],
  ['limits', 'The limits are changed, from the next request on.'],
  ['revoked', 'The key is revoked: its next request is refused.'],
  ['was-revoked', 'The key had been revoked already, so nothing was changed.'],
]);

/** Answers the page of one account; with the limits that were refused, where some were. */
async function showAccount(
  visit: SignedInContext,
  { db, defaultLimits, capturesPerAccount }: ConsoleDeps,
  account: Account,
  refused: Refused = {},
) {
  const [projects, keys] = await Promise.all([listProjects(db, account.id), readShownKeys(db, account.id)]);
  return visit.page(
    { title: account.email, status: (refused.key ?? refused.account)?.problems.status ?? 200 },
    <>
      <OperatorTabs />
      <p class="crumbs">
        <a href={ACCOUNTS_PATH}>Accounts</a>
      </p>
      <div class="page-head operator-title">
        <h1>{account.email}</h1>
        <AccountBadges account={account} />
      </div>
      <DoneNotice visit={visit} sentences={DONE} />
      <section class="card">
        <h2 class="visually-hidden">The account</h2>
        <AccountFacts account={account} />
        <AccountActions account={account} isOwn={isOwnAccount(visit, account)} />
      </section>
      <section class="card" aria-labelledby="limits">
        <h2 id="limits">Limits of the account</h2>
        <AccountLimitsForm account={account} defaultShare={capturesPerAccount} refused={refused.account} />
      </section>
      <AccountKeys
        account={account}
        projects={projects}
        keys={keys}
        shown={pageOfKeys(visit, keys.live, refused.key?.keyId)}
        defaultLimits={defaultLimits}
        refused={refused.key}
      />
    </>,
  );
}

/** One account, and what is done to it at once because it can be taken back at once. */
export function addAccountPage(pages: PageRouter): void {
  const { parts } = pages;
  const { db } = parts;

  pages.operator('GET', '/operator/accounts/:accountId', async (visit) =>
    showAccount(visit, parts, await requireAccount(db, visit)),
  );

  pages.operator('POST', '/operator/accounts/:accountId/api-access', async (visit) => {
    const account = await requireAccount(db, visit);
    const { state } = formFields(visit.request.body, ['state']);
    if (state !== 'on' && state !== 'off') {
      throw new ServiceError('invalidRequest', 'The state of API access must be "on" or "off".');
    }
    await setApiAccess(db, account.id, state === 'on');
    return visit.redirect(`${accountPath(account.id)}?done=api-access-${state}`);
  });

  pages.operator('POST', '/operator/accounts/:accountId/limits', async (visit) => {
    const account = await requireAccount(db, visit);
    const { captures } = formFields(visit.request.body, ['captures']);
    const limit = () => parseLimit(captures, MIN_CAPTURES);
    const problems = fieldProblems({ captures: limit });
    if (problems !== undefined)
      return showAccount(visit, parts, account, { account: { captures, problems } });
    await setAccountLimits(db, account.id, { captures: limit() });
    return visit.redirect(`${accountPath(account.id)}?done=captures`);
  });

  pages.operator('POST', '/operator/accounts/:accountId/enable', async (visit) => {
    const account = await requireAccount(db, visit);
    await enableAccount(db, account.id);
    return visit.redirect(`${accountPath(account.id)}?done=enabled`);
  });
}

/** POST …/limits: changes both limits of a key, or says of each what is wrong with it. */
export function addKeyLimits(pages: PageRouter): void {
  const { parts } = pages;
  pages.operator('POST', '/operator/accounts/:accountId/keys/:keyId/limits', async (visit) => {
    const account = await requireAccount(parts.db, visit);
    const key = await requireKey(parts.db, visit, account);
    if (key.revokedAtMs !== null) return visit.redirect(`${accountPath(account.id)}?done=was-revoked`);
    const { perMinute, perDay } = formFields(visit.request.body, ['perMinute', 'perDay']);
    const problems = fieldProblems({
      perMinute: () => parseLimit(perMinute),
      perDay: () => parseLimit(perDay),
    });
    if (problems !== undefined) {
      return showAccount(visit, parts, account, { key: { keyId: key.id, perMinute, perDay, problems } });
    }
    await setLimits(parts.db, key.id, { perMinute: parseLimit(perMinute), perDay: parseLimit(perDay) });
    return visit.redirect(`${accountPath(account.id)}?done=limits&key=${key.id}`);
  });
}
