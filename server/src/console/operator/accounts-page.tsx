import { ACCOUNT_SORTS, isAccountState, listAccountSummaries } from '../../accounts/account-summaries.js';
import { ChoiceField, FilterForm, FilterField } from '../layout/filter-form.js';
import { lastPagePath, readList } from '../layout/list.js';
import { DoneNotice } from '../layout/notices.js';
import { operatorPage } from '../routing/page.js';
import { ACCOUNTS_PATH } from './account-route.js';
import { AccountsTable } from './accounts-table.js';
import { createNewAccount, NewAccountForm, showRejectedAccount } from './new-account-form.js';
import { Card } from '../layout/card.js';
import { tableProps } from '../layout/data-table.js';

const DONE = new Map([['deleted', 'The account is deleted, with everything in it.']]);

const LIST = {
  path: ACCOUNTS_PATH,
  sorts: ACCOUNT_SORTS,
  filters: ['search', 'state'],
  perPage: 50,
} as const;

/** GET and POST /operator/accounts: lists all accounts, or those that match the filters, and makes new ones. */
export const accountsPage = operatorPage(ACCOUNTS_PATH, {
  menuLabel: 'Accounts',
  get: async (context) => {
    const list = readList(context.request.query, LIST);
    const { search, state } = list.filters;
    const { accounts, total } = await listAccountSummaries(context.domain, {
      ...list.paging,
      search,
      state: isAccountState(state) ? state : undefined,
      sort: list.sort,
    });
    const lastPage = lastPagePath(list, total);
    if (lastPage !== undefined) return context.redirect(lastPage);
    return context.render(
      { title: 'Accounts' },
      <>
        <div class="page-head">
          <h1>Accounts</h1>
          <a class="button secondary" href="#new-account">
            New account
          </a>
        </div>
        <DoneNotice sentences={DONE} />
        <FilterForm list={list}>
          <FilterField name="search" label="E-mail or name" value={search} />
          <ChoiceField
            name="state"
            label="State"
            value={state}
            any="All accounts"
            choices={[
              ['operator', 'Operators'],
              ['apiAccess', 'With API access'],
              ['disabled', 'Disabled'],
            ]}
          />
        </FilterForm>
        <AccountsTable
          rows={accounts}
          {...tableProps(list, total)}
          empty={<p>No account matches. Show all, or change the filter.</p>}
        />
        <Card id="new-account" title="New account">
          <p class="muted">You get a link for its owner, who chooses a password with it within seven days.</p>
          <NewAccountForm />
        </Card>
      </>,
    );
  },
  post: createNewAccount,
  onError: showRejectedAccount,
});
