import { AUDIT_KINDS, isAuditKind } from '../../audit/kinds.js';
import { AUDIT_SORTS } from '../../audit/read-audit.js';
import { ChoiceField, FilterForm, SearchField } from '../layout/filter-form.js';
import { lastPagePath, readList } from '../layout/list.js';
import { operatorPage } from '../routing/page.js';
import { ACCOUNTS_PATH, accountPath, AUDIT_PATH as PATH } from './account-route.js';
import { AuditTable } from '../layout/audit-table.js';
import { OperatorTabs } from './operator-tabs.js';
import { PageLinks } from '../layout/paging.js';

const LIST = { path: PATH, sorts: AUDIT_SORTS, filters: ['account', 'kind'], perPage: 50 } as const;

/** GET /operator/audit: who did what, when and from where, the newest first. */
export const auditPage = operatorPage(PATH, {
  menuLabel: 'Audit',
  get: async (context) => {
    const { accounts, audit } = context.deps;
    const list = readList(context.request.query, LIST);
    const { account, kind } = list.filters;
    const accountId = account === '' ? undefined : await accounts.findId(account);
    const filter = { accountId, kind: isAuditKind(kind) ? kind : undefined };
    const { offset, limit } = list.paging;
    const [total, entries] = await Promise.all([
      audit.count(filter),
      audit.list({ ...filter, sort: list.sort, offset, limit }),
    ]);
    const lastPage = lastPagePath(list, total);
    if (lastPage !== undefined) return context.redirect(lastPage);
    return context.render(
      { title: 'Audit' },
      <>
        <OperatorTabs />
        <h1>Audit</h1>
        <p class="muted">
          Who did what, and from which address. Entries are kept for 400 days. An account that was deleted is
          named by its identifier alone, and its addresses are erased.
        </p>
        <FilterForm list={list}>
          <SearchField name="account" label="Account, by e-mail or identifier" value={account} />
          <ChoiceField
            name="kind"
            label="What was done"
            value={kind}
            any="Anything"
            choices={Object.entries(AUDIT_KINDS)}
          />
        </FilterForm>
        {total === 0 ? (
          <p>
            Nothing was done that fits. <a href={PATH}>Show all</a>, or look for the account in the{' '}
            <a href={ACCOUNTS_PATH}>list of accounts</a>.
          </p>
        ) : (
          <>
            <AuditTable entries={entries} linkOf={accountPath} sorting={list} />
            <PageLinks paging={list.paging} total={total} pathOf={list.pagePath} />
          </>
        )}
      </>,
    );
  },
});
