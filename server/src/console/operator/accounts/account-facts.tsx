import type { Account } from '../../../accounts/account.js';
import { Moment } from '../../layout/moment.js';

/** What is known of an account. */
export function AccountFacts({ account }: { readonly account: Account }) {
  return (
    <dl class="facts">
      <dt>Name</dt>
      <dd>{account.name ?? <span class="muted">none</span>}</dd>
      <dt>Identifier</dt>
      <dd>
        <code>{account.id}</code>
      </dd>
      <dt>Made</dt>
      <dd>
        <Moment timeMs={account.createdAtMs} />
      </dd>
      <dt>Operator</dt>
      <dd>{account.isOperator ? 'yes' : 'no'}</dd>
      <dt>API access</dt>
      <dd>
        {account.hasApiAccess
          ? 'on: may use the tokens of the referral interface'
          : 'off: its tokens are refused'}
      </dd>
      <dt>Password</dt>
      <dd>{account.mustChangePassword ? 'must be changed at the next sign-in' : 'need not be changed'}</dd>
      {account.disabledAtMs === null ? null : (
        <>
          <dt>Disabled</dt>
          <dd>
            <Moment timeMs={account.disabledAtMs} />
          </dd>
        </>
      )}
    </dl>
  );
}
