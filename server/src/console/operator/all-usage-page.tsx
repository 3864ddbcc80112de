import { findAccountId } from '../../accounts/account.js';
import { FilterField } from '../layout/filter-form.js';
import { EmailLink } from '../layout/formatting.js';
import { operatorPage } from '../routing/page.js';
import { KeyChoice } from '../usage/key-choice.js';
import { CountsTable, OperationsTable } from '../usage/usage-parts.js';
import { usagePath } from '../usage/usage-query.js';
import { readUsage, UsageView } from '../usage/usage-view.js';
import { ALL_KEYS_PATH, ALL_USAGE_PATH as PATH } from './account-route.js';
import { TopKeys } from './top-keys.js';

/** GET /operator/usage: the outcomes of requests, and the keys, accounts and operations with the most requests. */
export const allUsagePage = operatorPage(PATH, {
  menuLabel: 'Usage',
  get: async (context) => {
    const { query, lists, usage, keys } = await readUsage(context, PATH, async ({ account }) =>
      account.trim() === '' ? undefined : findAccountId(context.domain, account),
    );
    const accounts = usage.accounts.map(({ accountId, email, counts }) => {
      const href = usagePath(PATH, { ...query, account: accountId, keys: '', accounts: '' });
      return { name: <EmailLink href={href} email={email} />, counts };
    });
    return context.render(
      { title: 'Usage of all accounts' },
      <UsageView
        path={PATH}
        query={query}
        usage={usage}
        advice="Choose a longer period, or show all."
        filters={
          <>
            <FilterField name="account" label="Account (e-mail or ID)" value={query.account} />
            {query.project !== '' && (
              <FilterField name="project" label="Project (ID)" value={query.project} />
            )}
            <KeyChoice
              from={keys}
              chosen={query.key}
              ownerOf={({ accountEmail }) => accountEmail}
              allPath={ALL_KEYS_PATH}
            />
          </>
        }
      >
        <TopKeys
          title="Keys with the most requests"
          keys={usage.keys}
          sorting={lists.sorting}
          pages={{ ...lists.keys, total: usage.keyTotal }}
        />
        {usage.accountTotal > 0 && (
          <CountsTable
            title="Accounts with the most requests"
            of="Account"
            rows={accounts}
            sorting={lists.sorting}
            pages={{ ...lists.accounts, total: usage.accountTotal }}
          />
        )}
        <OperationsTable usage={usage} />
      </UsageView>,
    );
  },
});
