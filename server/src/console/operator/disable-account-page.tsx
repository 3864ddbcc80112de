import { disableAccount } from '../../accounts/account-state.js';
import type { Account } from '../../accounts/account.js';
import type { PageRouter, SignedInContext } from '../routing/page-router.js';
import { Confirmation } from '../layout/form.js';
import { OperatorTabs } from './operator-tabs.js';
import { accountPath, isOwnAccount, requireAccount } from './account-route.js';

const PATH = '/operator/accounts/:accountId/disable';

const refuseOwn = (visit: SignedInContext, account: Account) =>
  visit.page(
    { title: 'Your own account', status: 400 },
    <>
      <OperatorTabs />
      <h1>You cannot disable your own account</h1>
      <p>That way at least one operator is always left. Another operator can disable it.</p>
      <p>
        <a class="button" href={accountPath(account.id)}>
          To the account
        </a>
      </p>
    </>,
  );

/** Asks before an account is disabled, and disables it. */
export function addDisableAccountPage(pages: PageRouter): void {
  const { db, clock } = pages.parts;

  pages.operator('GET', PATH, async (visit) => {
    const account = await requireAccount(db, visit);
    if (isOwnAccount(visit, account)) return refuseOwn(visit, account);
    const path = accountPath(account.id);
    return visit.page(
      { title: `Disable ${account.email}` },
      <>
        <OperatorTabs />
        <Confirmation
          question={`Disable ${account.email}?`}
          action={`${path}/disable`}
          button="Disable the account"
          backTo={path}
        >
          <p>
            From the next request on its API keys and tokens are refused, its owner is signed out and cannot
            sign in.
          </p>
          <p>Nothing is deleted: when the account is enabled again, its keys work as before.</p>
        </Confirmation>
      </>,
    );
  });

  pages.operator('POST', PATH, async (visit) => {
    const account = await requireAccount(db, visit);
    if (isOwnAccount(visit, account)) return refuseOwn(visit, account);
    await disableAccount(db, account.id, clock);
    return visit.redirect(`${accountPath(account.id)}?done=disabled`);
  });
}
