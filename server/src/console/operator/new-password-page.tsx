import type { Account } from '../../accounts/account.js';
import { setPassword } from '../../accounts/change-password.js';
import { CopyValue } from '../layout/copyable.js';
import { Confirmation } from '../layout/form.js';
import { accountPath, isOwnAccount, requireAccount } from './account-route.js';
import { OperatorTabs } from './operator-tabs.js';
import { operatorPage } from '../routing/page.js';

interface GeneratedPasswordProps {
  readonly account: Account;
  readonly password: string;
}

/** Shows a generated password. It is never shown again. */
export function GeneratedPassword({ account, password }: GeneratedPasswordProps) {
  return (
    <section class="card">
      <h2>Password of {account.email}</h2>
      <p class="notice">
        This password is shown only now: the server stores only its hash. Pass it on to the owner in private.
      </p>
      <CopyValue id="password" label="password" value={password} />
      <p>It must be changed at the next sign-in.</p>
    </section>
  );
}

const PATH = '/operator/accounts/:accountId/new-password';

/** Asks for confirmation, then generates a new password for an account and shows it once. */
export const newPasswordPage = operatorPage(PATH, {
  get: async (context) => {
    const account = await requireAccount(context);
    if (isOwnAccount(context, account)) return context.redirect('/password');
    const path = accountPath(account.id);
    return context.render(
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
            The current password stops working at once, and all sessions of the account end. The new one is
            shown to you once and must be changed at the next sign-in.
          </p>
          <p>API keys and tokens stay as they are.</p>
        </Confirmation>
      </>,
    );
  },
  post: async (context) => {
    const account = await requireAccount(context);
    if (isOwnAccount(context, account)) return context.redirect('/password');
    const password = await setPassword(context.domain, account.id);
    return context.render(
      { title: 'New password' },
      <>
        <OperatorTabs />
        <h1>New password</h1>
        <GeneratedPassword account={account} password={password ?? ''} />
        <p>
          <a class="button" href={accountPath(account.id)}>
            To the account
          </a>
        </p>
      </>,
    );
  },
});
