import type { Account } from '../../../accounts/account.js';
import { Form } from '../../layout/form.js';
import { accountPath } from './account-paths.js';

interface AccountActionsProps {
  readonly account: Account;
  /** Whether it is the account of the operator who looks at it. */
  readonly isOwn: boolean;
}

function ApiAccessButton({ account }: { readonly account: Account }) {
  return (
    <Form action={`${accountPath(account.id)}/api-access`}>
      <input type="hidden" name="state" value={account.hasApiAccess ? 'off' : 'on'} />
      <button type="submit" class="secondary">
        {account.hasApiAccess ? 'Turn API access off' : 'Turn API access on'}
      </button>
    </Form>
  );
}

/** What an operator can do to an account. */
export function AccountActions({ account, isOwn }: AccountActionsProps) {
  const path = accountPath(account.id);
  if (isOwn) {
    return (
      <>
        <div class="actions">
          <ApiAccessButton account={account} />
          <a class="button secondary" href="/password">
            Change your password
          </a>
        </div>
        <p class="muted operator-why">
          This is your own account. You cannot disable it, so that at least one operator is left; another
          operator can.
        </p>
      </>
    );
  }
  return (
    <div class="actions">
      <ApiAccessButton account={account} />
      <a class="button secondary" href={`${path}/new-password`}>
        New password
      </a>
      {account.disabledAtMs === null ? (
        <a class="button secondary" href={`${path}/disable`}>
          Disable
        </a>
      ) : (
        <Form action={`${path}/enable`}>
          <button type="submit">Enable</button>
        </Form>
      )}
    </div>
  );
}
