import type { InboxRequest, RequestKind } from '../../inbox/inbox-request.js';
import { formatAskedLimits } from '../keys/key-display.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { Email, Moment } from '../layout/formatting.js';
import { accountPath, AUDIT_PATH } from './account-route.js';

/** The kinds of requests, as choices. */
export const KIND_WORDS: Readonly<Record<RequestKind, string>> = {
  access: 'An account',
  password: 'A new password',
  limits: 'Higher limits',
  apiAccess: 'API access',
};

const COLUMNS: readonly Column<InboxRequest>[] = [
  {
    title: 'Person',
    kind: 'head',
    cell: ({ email, accountId }) => (
      <a href={accountPath(accountId ?? '')}>
        <Email address={email} />
      </a>
    ),
  },
  {
    title: 'Asked for',
    cell: ({ kind, key, ...limits }) =>
      kind === 'limits' ? (
        <>
          {formatAskedLimits(limits)} for {key === null ? 'all keys together' : <code>{key.prefix}…</code>}
        </>
      ) : (
        KIND_WORDS[kind]
      ),
  },
  { title: 'Reason', class: 'log-words', cell: ({ reason }) => reason },
  {
    title: 'Decision',
    cell: ({ outcome }) => (
      <span class={`badge ${outcome === 'approved' ? 'good' : 'danger'}`}>{outcome}</span>
    ),
  },
  { title: 'Answer', class: 'log-words', cell: ({ answer }) => answer },
  { title: 'Decided', kind: 'time', cell: ({ decidedAtMs }) => <Moment timeMs={decidedAtMs ?? 0} /> },
];

/** The requests that were decided, one per row. */
export const DecidedRequests = ({ requests }: { readonly requests: readonly InboxRequest[] }) => (
  <>
    {requests.length === 0 ? null : (
      <DataTable label="Decided requests" columns={COLUMNS} rows={requests} idOf={({ id }) => id} />
    )}
    <p class="muted">
      Of each account the last request of a kind, and for each key. What strangers asked for is not kept. Who
      decided what is in the <a href={`${AUDIT_PATH}?kind=request.approved`}>audit</a>.
    </p>
  </>
);
