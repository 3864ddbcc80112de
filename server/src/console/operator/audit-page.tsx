import { AUDIT_KINDS, isAuditKind } from '../../audit/kinds.js';
import { formFields } from '../layout/form-data.js';
import { operatorPage } from '../routing/page.js';
import { ACCOUNTS_PATH, accountPath, AUDIT_PATH as PATH } from './account-route.js';
import { AuditTable } from '../layout/audit-table.js';
import { OperatorTabs } from './operator-tabs.js';
import { pageCount, PageLinks, readPaging } from '../layout/paging.js';

const ENTRIES_PER_PAGE = 50;

interface Filter {
  readonly account: string;
  readonly kind: string;
}

/** One page of the entries that a filter lets through. */
function pathOf({ account, kind }: Filter, page: number): string {
  const query = new URLSearchParams({
    ...(account === '' ? {} : { account }),
    ...(kind === '' ? {} : { kind }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return query.size === 0 ? PATH : `${PATH}?${query}`;
}

function FilterForm({ account, kind }: Filter) {
  return (
    <form action={PATH} role="search" class="operator-search">
      <label for="account">Account, by e-mail or identifier</label>
      <div class="row">
        <input id="account" name="account" type="search" value={account.slice(0, 300)} />
      </div>
      <label for="kind">What was done</label>
      <div class="row">
        <select id="kind" name="kind">
          <option value="">Anything</option>
          {Object.entries(AUDIT_KINDS).map(([value, words]) => (
            <option key={value} value={value} selected={value === kind}>
              {words}
            </option>
          ))}
        </select>
        <button type="submit">Filter</button>
        {account === '' && kind === '' ? null : (
          <a class="button secondary" href={PATH}>
            Show all
          </a>
        )}
      </div>
    </form>
  );
}

/** GET /operator/audit: who did what, when and from where, the newest first. */
export const auditPage = operatorPage(PATH, {
  menuLabel: 'Audit',
  get: async (context) => {
    const { accounts, audit } = context.deps;
    const query = formFields(context.request.query, ['account', 'kind', 'page']);
    const kind = isAuditKind(query.kind) ? query.kind : '';
    const account = query.account.trim();
    const accountId = account === '' ? undefined : await accounts.findId(account);
    const filter = { accountId, kind: kind === '' ? undefined : kind };
    const paging = readPaging(query.page, ENTRIES_PER_PAGE);
    const { offset, limit } = paging;
    const [total, entries] = await Promise.all([
      audit.count(filter),
      audit.list({ ...filter, offset, limit }),
    ]);
    const lastPage = pageCount(total, paging);
    if (paging.page > lastPage) return context.redirect(pathOf({ account, kind }, lastPage));
    return context.render(
      { title: 'Audit' },
      <>
        <OperatorTabs />
        <h1>Audit</h1>
        <p class="muted">
          Who did what, and from which address. Entries are kept for 400 days. An account that was deleted is
          named by its identifier alone, and its addresses are erased.
        </p>
        <FilterForm account={account} kind={kind} />
        {total === 0 ? (
          <p>
            Nothing was done that fits. <a href={PATH}>Show all</a>, or look for the account in the{' '}
            <a href={ACCOUNTS_PATH}>list of accounts</a>.
          </p>
        ) : (
          <>
            <AuditTable entries={entries} linkOf={accountPath} />
            <PageLinks paging={paging} total={total} pathOf={(page) => pathOf({ account, kind }, page)} />
          </>
        )}
      </>,
    );
  },
});
