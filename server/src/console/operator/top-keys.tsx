import { Email } from '../layout/formatting.js';
import type { TopKeys as Top } from '../../usage/read-top.js';
import { KeyLink } from '../keys/key-display.js';
import { CountsTable, type CountsTableProps } from '../usage/usage-parts.js';
import { accountPath, requestsPath } from './account-route.js';

interface TopKeysProps extends Pick<CountsTableProps, 'title' | 'sorting' | 'pages'>, Pick<Top, 'keys'> {}

/** The usage of keys of all accounts. Each row links to the key's requests. */
export function TopKeys({ keys, ...table }: TopKeysProps) {
  const rows = keys.map(({ keyId, name, prefix, projectName, accountId, email, counts }) => ({
    id: String(keyId),
    name: (
      <>
        <KeyLink ownKey={{ name, prefix }} href={requestsPath(accountId, keyId)} />
        <div class="muted operator-name">
          <a href={accountPath(accountId)}>
            <Email address={email} />
          </a>{' '}
          · <bdi>{projectName}</bdi>
        </div>
      </>
    ),
    counts,
  }));
  return <CountsTable of="Key" rows={rows} {...table} />;
}
