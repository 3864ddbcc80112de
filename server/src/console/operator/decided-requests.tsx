import type { InboxRequest, RequestKind } from '../../inbox/inbox-request.js';
import { formatLimitPair } from '../keys/key-display.js';
import { type Column, DataTable } from '../layout/data-table.js';
import { Moment, EmailLink } from '../layout/formatting.js';
import { accountPath, AUDIT_PATH } from './account-route.js';

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
    cell: ({ email, accountId }) => <EmailLink href={accountPath(accountId ?? '')} email={email} />,
  },
  {
    title: 'Asked for',
    cell: ({ kind, key, ...limits }) =>
      kind === 'limits' ? (
        <>
          {formatLimitPair(limits)} for {key === null ? 'all keys together' : <code>{key.prefix}…</code>}
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

export const DecidedRequests = ({ requests }: { readonly requests: readonly InboxRequest[] }) => (
  <>
    <DataTable label="Decided requests" columns={COLUMNS} rows={requests} empty={null} />
    <p class="muted">
      Of each account the last request of a kind, and for each key. What strangers asked for is not kept. Who
      decided what is in the <a href={`${AUDIT_PATH}?kind=request.approved`}>audit</a>.
    </p>
  </>
);
