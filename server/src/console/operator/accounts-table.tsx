import type { AccountSummary } from '../../accounts/account-summaries.js';
import { type Column, DataTable, type Sorting } from '../layout/data-table.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { AccountBadges } from './account-card.js';
import { accountPath } from './account-route.js';

const COLUMNS: readonly Column<AccountSummary>[] = [
  {
    title: 'Account',
    kind: 'head',
    sort: 'email',
    cell: ({ id, email, name }) => (
      <>
        <a href={accountPath(id)}>{email}</a>
        {name === null ? null : (
          <div class="muted operator-name">
            <bdi>{name}</bdi>
          </div>
        )}
      </>
    ),
  },
  { title: 'State', cell: (account) => <AccountBadges account={account} /> },
  {
    title: 'Projects',
    kind: 'number',
    sort: 'projects',
    cell: ({ projectCount }) => formatCount(projectCount),
  },
  {
    title: 'Live keys',
    kind: 'number',
    sort: 'keys',
    cell: ({ liveKeyCount }) => formatCount(liveKeyCount),
  },
  {
    title: 'Requests today',
    kind: 'number',
    sort: 'today',
    cell: ({ requestsToday }) => formatCount(requestsToday),
  },
  {
    title: 'Last request',
    kind: 'time',
    sort: 'used',
    cell: ({ lastRequestAtMs }) =>
      lastRequestAtMs === null ? <span class="muted">never</span> : <Timestamp timeMs={lastRequestAtMs} />,
  },
  {
    title: 'Created',
    kind: 'time',
    sort: 'made',
    cell: ({ createdAtMs }) => <Timestamp timeMs={createdAtMs} />,
  },
];

interface AccountsTableProps {
  readonly accounts: readonly AccountSummary[];
  readonly sorting?: Sorting;
}

/** Accounts, one a row. */
export const AccountsTable = ({ accounts, sorting }: AccountsTableProps) => (
  <DataTable label="Accounts" columns={COLUMNS} rows={accounts} idOf={({ id }) => id} sorting={sorting} />
);
