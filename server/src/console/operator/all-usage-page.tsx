import { findAccountId } from '../../accounts/account.js';
import type { PeriodUsage } from '../../usage/read-counts.js';
import { LiveRegion } from '../layout/live-region.js';
import { operatorPage } from '../routing/page.js';
import { KeyChoice, keysToChoose } from '../usage/key-choice.js';
import {
  AboutFigures,
  CountsTable,
  OperationSelect,
  OperationsTable,
  PeriodChart,
  PeriodLinks,
  UsageFigures,
} from '../usage/usage-parts.js';
import { readUsageQuery, topLists, type TopLists, type UsageQuery, usagePath } from '../usage/usage-query.js';
import { ALL_KEYS_PATH, ALL_USAGE_PATH as PATH } from './account-route.js';
import { OperatorTabs } from '../layout/operator-tabs.js';
import { TopKeys } from './top-keys.js';

interface FilterFormProps {
  readonly query: UsageQuery;
  readonly keys: Awaited<ReturnType<typeof keysToChoose>>;
}

function FilterForm({ query, keys }: FilterFormProps) {
  const { period, account, key, operation } = query;
  return (
    <form action={PATH} role="search" class="filters row">
      {period === 'day' ? null : <input type="hidden" name="period" value={period} />}
      <div class="field">
        <label for="account">Account (e-mail or ID)</label>
        <input id="account" name="account" type="search" value={account.slice(0, 300)} />
      </div>
      <KeyChoice
        from={keys}
        chosen={key}
        ownerOf={({ accountEmail }) => accountEmail}
        allPath={ALL_KEYS_PATH}
      />
      <OperationSelect chosen={operation} />
      <button type="submit" class="secondary">
        Filter
      </button>
      {[account, key, operation].every((part) => part === '') ? null : (
        <a class="button quiet" href={usagePath(PATH, { period })}>
          Show all
        </a>
      )}
    </form>
  );
}

interface TopProps {
  readonly usage: PeriodUsage;
  readonly query: UsageQuery;
  readonly lists: TopLists;
}

function TopAccounts({ usage, query, lists }: TopProps) {
  const rows = usage.accounts.map(({ accountId, email, counts }) => ({
    id: accountId,
    name: <a href={usagePath(PATH, { ...query, account: accountId, keys: '', accounts: '' })}>{email}</a>,
    counts,
  }));
  return (
    <CountsTable
      title="Accounts with the most requests"
      of="Account"
      rows={rows}
      sorting={lists.sorting}
      pages={{ ...lists.accounts, total: usage.accountTotal }}
    />
  );
}

/** GET /operator/usage: the outcomes of all accounts' requests, and the accounts with the most requests. */
export const allUsagePage = operatorPage(PATH, {
  menuLabel: 'Usage',
  get: async (context) => {
    const { deps } = context;
    const { history } = deps;
    const query = readUsageQuery(context.request.query);
    const { period, account, key, operation } = query;
    const accountId = account.trim() === '' ? undefined : await findAccountId(context.domain, account.trim());
    const filter = {
      accountId,
      keyId: key === '' ? undefined : Number(key),
      operation: operation === '' ? undefined : operation,
    };
    const lists = topLists(PATH, query);
    const [usage, keys] = await Promise.all([
      history.ofPeriod(period, filter, lists.pages),
      keysToChoose(context.domain, { accountId }, key),
    ]);
    return context.render(
      { title: 'Usage of all accounts' },
      <>
        <OperatorTabs />
        <div class="page-head">
          <h1>Usage</h1>
        </div>
        <PeriodLinks path={PATH} query={query} />
        <FilterForm query={query} keys={keys} />
        <LiveRegion>
          <UsageFigures counts={usage.all} />
          <PeriodChart period={period} usage={usage} />
          {usage.keys.length === 0 ? (
            <p>No requests match. Choose a longer period, or show all.</p>
          ) : (
            <>
              <TopKeys
                title="Keys with the most requests"
                keys={usage.keys}
                sorting={lists.sorting}
                pages={{ ...lists.keys, total: usage.keyTotal }}
              />
              {usage.accounts.length === 0 ? null : <TopAccounts usage={usage} query={query} lists={lists} />}
              <OperationsTable usage={usage} />
            </>
          )}
        </LiveRegion>
        <AboutFigures />
      </>,
    );
  },
});
