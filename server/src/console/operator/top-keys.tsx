import type { TopKeys as Top } from '../../usage/read-top.js';
import { EmailLink } from '../layout/formatting.js';
import { CountsTable, type CountsTableProps, keyRows } from '../usage/usage-parts.js';
import { accountPath, requestsPath } from './account-route.js';

interface TopKeysProps extends Pick<CountsTableProps, 'title' | 'sorting' | 'pages'>, Pick<Top, 'keys'> {}

/** The usage of keys of all accounts. Each row links to the key's page. */
export const TopKeys = ({ keys, ...table }: TopKeysProps) => (
  <CountsTable
    of="Key"
    rows={keyRows(
      keys,
      ({ accountId, keyId }) => requestsPath(accountId, keyId),
      ({ accountId, email }) => (
        <>
          <EmailLink href={accountPath(accountId)} email={email} /> ·{' '}
        </>
      ),
    )}
    {...table}
  />
);
