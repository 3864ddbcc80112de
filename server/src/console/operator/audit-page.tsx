import { LIMITS } from '@signpost/contract';
import { Readable } from 'node:stream';
import { auditCsv } from '../../audit/audit-csv.js';
import { AUDIT_KINDS } from '../../audit/kinds.js';
import { AUDIT_SORTS } from '../../audit/read-audit.js';
import { AuditTable } from '../layout/audit-table.js';
import { ChoiceField, FilterField, FilterForm } from '../layout/filter-form.js';
import { formFields } from '../layout/form-data.js';
import { lastPagePath, readList } from '../layout/list.js';
import { operatorPage } from '../routing/page.js';
import { ACCOUNTS_PATH, accountPath, AUDIT_PATH as PATH } from './account-route.js';
import { AUDIT_FILTERS, auditFilter } from './audit-query.js';
import { ButtonForm } from '../layout/form.js';
import { tableProps } from '../layout/data-table.js';

const EXPORT_PATH = `${PATH}/export`;
const LIST = { path: PATH, sorts: AUDIT_SORTS, filters: AUDIT_FILTERS, perPage: 50 } as const;

const auditPage = operatorPage(PATH, {
  menuLabel: 'Audit',
  get: async (context) => {
    const { audit } = context.deps;
    const list = readList(context.request.query, LIST);
    const { account, kind, from, to } = list.filters;
    const filter = await auditFilter(list.filters, context.domain);
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
        <div class="page-head">
          <h1>Audit</h1>
          {total > 0 && (
            <ButtonForm action={EXPORT_PATH} sends={list.filters}>
              {list.isFiltered ? 'Export these entries as CSV' : 'Export all as CSV'}
            </ButtonForm>
          )}
        </div>
        <p class="muted">
          Who did what, and from which address. Entries are kept for 400 days. A deleted account is shown only
          by its identifier, and its network addresses are erased.
        </p>
        <FilterForm list={list}>
          <FilterField name="account" label="Account (e-mail or ID)" value={account} />
          <ChoiceField
            name="kind"
            label="What was done"
            value={kind}
            any="Anything"
            choices={Object.entries(AUDIT_KINDS)}
          />
          <FilterField type="date" name="from" label="From the day (UTC)" value={from} />
          <FilterField type="date" name="to" label="To the day (UTC)" value={to} />
        </FilterForm>
        <AuditTable
          entries={entries}
          linkOf={accountPath}
          {...tableProps(list, total)}
          empty={
            <p>
              No entries match. <a href={PATH}>Show all</a>, or look for the account in the{' '}
              <a href={ACCOUNTS_PATH}>list of accounts</a>.
            </p>
          }
        />
        {total >= LIMITS.pagedAuditEntries.max && (
          <p class="muted">
            There may be more entries than these pages show. Choose days to see others, or export them all.
          </p>
        )}
      </>,
    );
  },
});

/** POST …/export: streams all entries that match the filters, as a CSV file. */
const auditExport = operatorPage(EXPORT_PATH, {
  post: async (context) => {
    const filter = await auditFilter(formFields(context.request.body, AUDIT_FILTERS), context.domain);
    const day = new Date(context.domain.clock()).toISOString().slice(0, 10);
    return context.reply
      .headers({
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="signpost-audit-${day}.csv"`,
        'Cache-Control': 'no-store',
      })
      .send(Readable.from(auditCsv(context.deps.audit.all(filter))));
  },
  leadsTo: PATH,
});

/** The page of the audit entries, by default newest first, and their export as CSV. */
export const auditPages = [auditPage, auditExport];
