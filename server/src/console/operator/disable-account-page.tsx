import { disableAccount } from '../../accounts/account-state.js';
import type { Account } from '../../accounts/account.js';
import type { SignedInContext } from '../routing/page-context.js';
import { Confirmation } from '../layout/form.js';
import { OperatorTabs } from './operator-tabs.js';
import { accountPath, isOwnAccount, requireAccount } from './account-route.js';
import { operatorPage } from '../routing/page.js';

const PATH = '/operator/accounts/:accountId/disable';

const refuseOwn = (context: SignedInContext, account: Account) =>
  context.render(
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

/** Asks for confirmation, then disables an account. */
export const disableAccountPage = operatorPage(PATH, {
  get: async (context) => {
    const account = await requireAccount(context);
    if (isOwnAccount(context, account)) return refuseOwn(context, account);
    const path = accountPath(account.id);
    return context.render(
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
  },
  post: async (context) => {
    const account = await requireAccount(context);
    if (isOwnAccount(context, account)) return refuseOwn(context, account);
    await disableAccount(context.domain, account.id);
    return context.redirect(`${accountPath(account.id)}?done=disabled`);
  },
});
