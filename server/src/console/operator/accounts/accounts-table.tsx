import type { AccountSummary } from '../../../accounts/account-summaries.js';
import { Moment } from '../../layout/moment.js';
import { AccountBadges } from './account-badges.js';
import { accountPath } from './account-paths.js';

function Row({ account }: { readonly account: AccountSummary }) {
  return (
    <tr>
      <th scope="row">
        <a href={accountPath(account.id)}>{account.email}</a>
        {account.name === null ? null : <div class="muted operator-name">{account.name}</div>}
      </th>
      <td>
        <AccountBadges account={account} />
      </td>
      <td class="number">{account.projectCount.toLocaleString('en-GB')}</td>
      <td class="number">{account.liveKeyCount.toLocaleString('en-GB')}</td>
      <td class="nowrap">
        {account.lastRequestAtMs === null ? (
          <span class="muted">never</span>
        ) : (
          <Moment timeMs={account.lastRequestAtMs} />
        )}
      </td>
    </tr>
  );
}

/** Accounts, one a row. */
export function AccountsTable({ accounts }: { readonly accounts: readonly AccountSummary[] }) {
  return (
    <div class="table" tabindex={0} role="region" aria-label="Accounts">
      <table aria-label="Accounts">
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Projects
            </th>
            <th scope="col" class="number">
              Live keys
            </th>
            <th scope="col">Last request</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <Row key={account.id} account={account} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
