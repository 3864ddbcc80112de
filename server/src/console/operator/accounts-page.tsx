import type { AccountSummary } from '../../accounts/account-summaries.js';
import { formFields } from '../layout/form-data.js';
import { formatCount, Timestamp } from '../layout/formatting.js';
import { DoneNotice } from '../layout/notices.js';
import { AccountBadges } from './account-card.js';
import { accountPath, ACCOUNTS_PATH, accountsPath } from './account-route.js';
import { createNewAccount, NewAccountForm } from './new-account-form.js';
import { OperatorTabs } from './operator-tabs.js';
import { pageCount, PageLinks, readPaging } from '../layout/paging.js';
import { operatorPage } from '../routing/page.js';

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
      <td class="number">{formatCount(account.projectCount)}</td>
      <td class="number">{formatCount(account.liveKeyCount)}</td>
      <td class="nowrap">
        {account.lastRequestAtMs === null ? (
          <span class="muted">never</span>
        ) : (
          <Timestamp timeMs={account.lastRequestAtMs} />
        )}
      </td>
    </tr>
  );
}

/** Accounts, one a row. */
function AccountsTable({ accounts }: { readonly accounts: readonly AccountSummary[] }) {
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

const ACCOUNTS_PER_PAGE = 50;

const DONE = new Map([['deleted', 'The account is deleted, with all that was its own.']]);

function SearchForm({ search }: { readonly search: string }) {
  return (
    <form action={ACCOUNTS_PATH} role="search" class="operator-search">
      <label for="search">Search by e-mail or name</label>
      <div class="row">
        <input id="search" name="search" type="search" value={search} />
        <button type="submit">Search</button>
        {search === '' ? null : (
          <a class="button secondary" href={ACCOUNTS_PATH}>
            Show all
          </a>
        )}
      </div>
    </form>
  );
}

/** GET /operator/accounts: all accounts, fifty a page, or those that are searched for. */
export const accountsPage = operatorPage(ACCOUNTS_PATH, {
  menuLabel: 'Accounts',
  get: async (context) => {
    const query = formFields(context.request.query, ['search', 'page']);
    const search = query.search.trim();
    const paging = readPaging(query.page, ACCOUNTS_PER_PAGE);
    const { offset, limit } = paging;
    const { accounts, total } = await context.deps.accounts.listSummaries({
      ...(search === '' ? {} : { search }),
      offset,
      limit,
    });
    const lastPage = pageCount(total, paging);
    if (paging.page > lastPage) return context.redirect(accountsPath(search, lastPage));
    return context.render(
      { title: 'Accounts' },
      <>
        <OperatorTabs />
        <div class="page-head">
          <h1>Accounts</h1>
          <a class="button secondary" href="#new-account">
            New account
          </a>
        </div>
        <DoneNotice sentences={DONE} />
        <SearchForm search={search} />
        {total === 0 ? (
          <p>
            No account has “{search}” in its e-mail or name. <a href={ACCOUNTS_PATH}>Show all</a>.
          </p>
        ) : (
          <>
            <AccountsTable accounts={accounts} />
            <PageLinks paging={paging} total={total} pathOf={(page) => accountsPath(search, page)} />
          </>
        )}
        <section class="card" aria-labelledby="new-account">
          <h2 id="new-account">New account</h2>
          <p class="muted">
            A password is generated and shown once. The owner must change it at the first sign-in.
          </p>
          <NewAccountForm />
        </section>
      </>,
    );
  },
  post: createNewAccount,
});
