import { listAccountSummaries } from '../../../accounts/account-summaries.js';
import { formFields } from '../../form-fields.js';
import type { Pages } from '../../pages.js';
import { OperatorTabs } from '../operator-tabs.js';
import { PageLinks } from '../page-links.js';
import { pageCount, readPaging } from '../paging.js';
import { ACCOUNTS_PATH, accountsPath } from './account-paths.js';
import { AccountsTable } from './accounts-table.js';
import { NewAccountForm } from './new-account-form.js';

const ACCOUNTS_PER_PAGE = 50;

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
export function addAccountsPage(pages: Pages): void {
  const { parts } = pages;
  pages.operator('GET', ACCOUNTS_PATH, async (visit) => {
    const query = formFields(visit.request.query, ['search', 'page']);
    const search = query.search.trim();
    const paging = readPaging(query.page, ACCOUNTS_PER_PAGE);
    const { offset, limit } = paging;
    const { accounts, total } = await listAccountSummaries(parts.db, {
      ...(search === '' ? {} : { search }),
      offset,
      limit,
    });
    const lastPage = pageCount(total, paging);
    if (paging.page > lastPage) return visit.redirect(accountsPath(search, lastPage));
    return visit.page(
      { title: 'Accounts' },
      <>
        <OperatorTabs />
        <div class="page-head">
          <h1>Accounts</h1>
          <a class="button secondary" href="#new-account">
            New account
          </a>
        </div>
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
          <p class="muted">A password is made for it and shown once. Its owner changes it when signing in.</p>
          <NewAccountForm />
        </section>
      </>,
    );
  });
}
