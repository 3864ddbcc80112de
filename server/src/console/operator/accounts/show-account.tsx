import type { Account } from '../../../accounts/account.js';
import { listProjects } from '../../../accounts/list-projects.js';
import type { ConsoleParts } from '../../console-parts.js';
import type { SignedInVisit } from '../../pages.js';
import { readShownKeys } from '../../keys/shown-keys.js';
import { DoneNotice } from '../../layout/done-notice.js';
import { pageOfKeys } from '../keys/page-of-keys.js';
import { AccountKeys } from '../keys/account-keys.js';
import type { RefusedLimits } from '../keys/limits-form.js';
import { OperatorTabs } from '../operator-tabs.js';
import { AccountActions } from './account-actions.js';
import { AccountBadges } from './account-badges.js';
import { AccountFacts } from './account-facts.js';
import { AccountLimitsForm, type RefusedAccountLimits } from './account-limits-form.js';
import { ACCOUNTS_PATH } from './account-paths.js';
import { isOwnAccount } from './own-account.js';

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
export async function showAccount(
  visit: SignedInVisit,
  { db, defaultLimits, capturesPerAccount }: ConsoleParts,
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
