import type { Account } from '../../accounts/account.js';
import { deleteAccount } from '../../accounts/delete-account.js';
import { Confirmation } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { accountPath, ACCOUNTS_PATH, isOwnAccount, requireAccount } from './account-route.js';
import { OperatorTabs } from './operator-tabs.js';

const PATH = '/operator/accounts/:accountId/delete';

/** Operators delete their own account on the page that asks for the password. */
const ofOwn = (context: SignedInContext, account: Account) =>
  isOwnAccount(context, account) ? context.redirect('/account/delete') : undefined;

/** Asks for confirmation, then deletes an account. */
export const deleteAccountPage = operatorPage(PATH, {
  get: async (context) => {
    const account = await requireAccount(context);
    const path = accountPath(account.id);
    return (
      ofOwn(context, account) ??
      context.render(
        { title: `Delete ${account.email}` },
        <>
          <OperatorTabs />
          <Confirmation
            question={`Delete ${account.email}?`}
            action={`${path}/delete`}
            button="Delete the account"
            backTo={path}
          >
            <p>
              Its projects, keys, tokens and usage are deleted with it.{' '}
              <strong>This cannot be undone.</strong> To refuse its keys for a while, disable it.
            </p>
            <p>
              The audit keeps what it did, under its identifier <code>{account.id}</code>. Its network
              addresses there are erased.
            </p>
          </Confirmation>
        </>,
      )
    );
  },
  post: async (context) => {
    const account = await requireAccount(context);
    const elsewhere = ofOwn(context, account);
    if (elsewhere !== undefined) return elsewhere;
    await deleteAccount(context.domain, account.id);
    return context.redirect(`${ACCOUNTS_PATH}?done=deleted`);
  },
});
