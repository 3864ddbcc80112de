import type { Account } from '../../../accounts/account.js';

/** What is special about an account, in short. */
export function AccountBadges({ account }: { readonly account: Account }) {
  return (
    <span class="operator-badges">
      {account.disabledAtMs === null ? null : <span class="badge danger">Disabled</span>}
      {account.isOperator ? <span class="badge">Operator</span> : null}
      {account.hasApiAccess ? <span class="badge good">API access</span> : null}
      {account.mustChangePassword ? <span class="badge warn">Must change password</span> : null}
    </span>
  );
}
