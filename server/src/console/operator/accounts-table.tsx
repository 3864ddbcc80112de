import type { AccountSummary } from '../../accounts/account-summaries.js';
import { dayColumn, timeColumn, countColumn, KEY_COLUMNS } from '../layout/columns.js';
import { type Column, DataTable, type DataTableProps } from '../layout/data-table.js';
import { AccountBadges } from './account-card.js';
import { accountPath } from './account-route.js';
import { EmailLink } from '../layout/formatting.js';

const COLUMNS: readonly Column<AccountSummary>[] = [
  {
    title: 'Account',
    kind: 'head',
    sort: 'email',
    cell: ({ id, email, name }) => (
      <>
        <EmailLink href={accountPath(id)} email={email} />{' '}
        {name !== null && (
          <bdi class="muted operator-name account-name" title={name}>
            {name}
          </bdi>
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

export const AccountsTable = (
  table: Pick<DataTableProps<AccountSummary>, 'rows' | 'sorting' | 'pages' | 'empty'>,
) => <DataTable label="Accounts" class="accounts" columns={COLUMNS} {...table} />;
