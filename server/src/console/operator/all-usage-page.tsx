import { findAccountId } from '../../accounts/account.js';
import type { PeriodUsage } from '../../usage/read-counts.js';
import { SearchField } from '../layout/filter-form.js';
import { Email } from '../layout/formatting.js';
import { LiveRegion } from '../layout/live-region.js';
import { operatorPage } from '../routing/page.js';
import { KeyChoice, keysToChoose } from '../usage/key-choice.js';
import {
  AboutFigures,
  CountsTable,
  OperationsTable,
  PeriodChart,
  PeriodLinks,
  UsageFigures,
  UsageFilters,
} from '../usage/usage-parts.js';
import {
  readUsageQuery,
  shownTime,
  topLists,
  type TopLists,
  type UsageQuery,
  usagePath,
} from '../usage/usage-query.js';
import { ALL_KEYS_PATH, ALL_USAGE_PATH as PATH } from './account-route.js';
import { TopKeys } from './top-keys.js';

interface FiltersProps {
  readonly query: UsageQuery;
  readonly keys: Awaited<ReturnType<typeof keysToChoose>>;
}

const Filters = ({ query, keys }: FiltersProps) => (
  <UsageFilters path={PATH} query={query}>
    <SearchField name="account" label="Account (e-mail or ID)" value={query.account} />
    <KeyChoice
      from={keys}
      chosen={query.key}
      ownerOf={({ accountEmail }) => accountEmail}
      allPath={ALL_KEYS_PATH}
    />
  </UsageFilters>
);

interface TopProps {
  readonly usage: PeriodUsage;
  readonly query: UsageQuery;
  readonly lists: TopLists;
}

function TopAccounts({ usage, query, lists }: TopProps) {
  const rows = usage.accounts.map(({ accountId, email, counts }) => ({
    id: accountId,
    name: (
      <a href={usagePath(PATH, { ...query, account: accountId, keys: '', accounts: '' })}>
        <Email address={email} />
      </a>
    ),
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
    const nowMs = context.domain.clock();
    const query = readUsageQuery(context.request.query, nowMs);
    const { account, key, operation } = query;
    const accountId = account.trim() === '' ? undefined : await findAccountId(context.domain, account.trim());
    const filter = {
      accountId,
      keyId: key === '' ? undefined : Number(key),
      operation: operation === '' ? undefined : operation,
    };
    const lists = topLists(PATH, query);
    const [usage, keys] = await Promise.all([
      history.ofPeriod(shownTime(query, nowMs), filter, lists.pages),
      keysToChoose(context.domain, { accountId }, key),
    ]);
    return context.render(
      { title: 'Usage of all accounts' },
      <>
        <div class="page-head">
          <h1>Usage</h1>
        </div>
        <PeriodLinks path={PATH} query={query} />
        <Filters query={query} keys={keys} />
        <LiveRegion>
          {usage.operations.length === 0 ? (
            <p class="card">No request matches. Choose a longer period, or show all.</p>
          ) : (
            <>
              <UsageFigures counts={usage.all} />
              <PeriodChart usage={usage} />
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
