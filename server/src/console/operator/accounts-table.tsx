import type { AccountSummary } from '../../accounts/account-summaries.js';
import { countColumn, dayColumn, KEY_COLUMNS, timeColumn } from '../layout/columns.js';
import { Email } from '../layout/formatting.js';
import { type Column, DataTable, type Sorting } from '../layout/data-table.js';
import { AccountBadges } from './account-card.js';
import { accountPath } from './account-route.js';

const COLUMNS: readonly Column<AccountSummary>[] = [
  {
    title: 'Account',
    kind: 'head',
    sort: 'email',
    cell: ({ id, email, name }) => (
      <>
        <a href={accountPath(id)}>
          <Email address={email} />
        </a>
        {name === null ? null : (
          <>
            {' '}
            <bdi class="muted operator-name account-name" title={name}>
              {name}
            </bdi>
          </>
        )}
      </>
    ),
  },
  { title: 'State', cell: (account) => <AccountBadges account={account} /> },
  {
    ...countColumn<AccountSummary>({
      title: 'Projects',
      sort: 'projects',
      of: ({ projectCount }) => projectCount,
    }),
    isLesser: true,
  },
  ...KEY_COLUMNS,
  timeColumn({ title: 'Last request', sort: 'used', of: ({ lastRequestAtMs }) => lastRequestAtMs }),
  dayColumn({ title: 'Created', sort: 'made', of: ({ createdAtMs }) => createdAtMs }),
];

interface AccountsTableProps {
  readonly accounts: readonly AccountSummary[];
  readonly sorting?: Sorting;
}

/** Accounts, one per row. */
export const AccountsTable = ({ accounts, sorting }: AccountsTableProps) => (
  <DataTable
    label="Accounts"
    class="accounts"
    columns={COLUMNS}
    rows={accounts}
    idOf={({ id }) => id}
    sorting={sorting}
  />
);
