import { setPassword } from '../../../accounts/set-password.js';
import type { Pages } from '../../pages.js';
import { Confirmation } from '../../layout/confirmation.js';
import { OperatorTabs } from '../operator-tabs.js';
import { accountPath } from './account-paths.js';
import { MadePassword } from './made-password.js';
import { isOwnAccount } from './own-account.js';
import { requireAccount } from './require-account.js';

const PATH = '/operator/accounts/:accountId/new-password';

/** Asks before an account gets another password, makes it, and shows it this once. */
export function addNewPasswordPage(pages: Pages): void {
  const { db, randomBytes } = pages.parts;

  pages.operator('GET', PATH, async (visit) => {
    const account = await requireAccount(db, visit);
    if (isOwnAccount(visit, account)) return visit.redirect('/password');
    const path = accountPath(account.id);
    return visit.page(
      { title: `New password for ${account.email}` },
      <>
        <OperatorTabs />
        <Confirmation
          question={`Make a new password for ${account.email}?`}
          action={`${path}/new-password`}
          button="Make a new password"
          backTo={path}
        >
          <p>
            The present password ends at once, and all sessions of the account with it. The new one is shown
            to you once and must be changed at the next sign-in.
          </p>
          <p>API keys and tokens stay as they are.</p>
        </Confirmation>
      </>,
    );
  });

  pages.operator('POST', PATH, async (visit) => {
    const account = await requireAccount(db, visit);
    if (isOwnAccount(visit, account)) return visit.redirect('/password');
    const password = await setPassword(db, account.id, undefined, randomBytes);
    return visit.page(
      { title: 'New password' },
      <>
        <OperatorTabs />
        <h1>New password</h1>
        <MadePassword account={account} password={password ?? ''} />
        <p>
          <a class="button" href={accountPath(account.id)}>
            To the account
          </a>
        </p>
      </>,
    );
  });
}
