import { AUDIT_KINDS, isAuditKind } from '../../audit/kinds.js';
import type { AuditEntry, NamedAccount } from '../../audit/read-audit.js';
import { timeColumn } from './columns.js';
import { type Column, DataTable, type DataTableProps } from './data-table.js';
import { Email, EmailLink } from './formatting.js';

interface AuditTableProps extends Pick<DataTableProps<AuditEntry>, 'sorting' | 'pages' | 'empty'> {
  readonly entries: readonly AuditEntry[];
  /** Returns the path of an account's page. Set for viewers who may see accounts. */
  readonly linkOf?: (accountId: string) => string;
  /** The names of the owner's projects, by project id. The table shows a name in place of the id. */
  readonly ownNames?: ReadonlyMap<string, string>;
}

interface NameProps {
  readonly account: NamedAccount | null;
  /** Shown if there is no account. */
  readonly unknown: string;
  readonly linkOf: AuditTableProps['linkOf'] | undefined;
}

function Name({ account, unknown, linkOf }: NameProps) {
  if (account === null) return <span class="muted">{unknown}</span>;
  const { id, email } = account;
  if (email === null)
    return (
      <>
        <code>{id}</code> <span class="muted">deleted</span>
      </>
    );
  return linkOf === undefined ? <Email address={email} /> : <EmailLink href={linkOf(id)} email={email} />;
}

const BY_NOBODY = new Map([
  ['cli', 'the command line'],
  ['server', 'the server'],
]);

export function AuditTable({ entries, linkOf, ownNames, ...table }: AuditTableProps) {
  const subject: Column<AuditEntry> = {
    title: 'Account',
    class: 'name',
    cell: ({ subject: of }) => of && <Name account={of} unknown="" linkOf={linkOf} />,
  };
  const columns: readonly Column<AuditEntry>[] = [
    timeColumn({ title: 'Time', sort: 'time', of: ({ atMs }) => atMs }),
    { title: 'What', cell: ({ kind }) => (isAuditKind(kind) ? AUDIT_KINDS[kind] : kind) },
    {
      title: 'By',
      class: 'name',
      cell: ({ actor, via }) => (
        <Name account={actor} unknown={BY_NOBODY.get(via) ?? 'unknown'} linkOf={linkOf} />
      ),
    },
    { title: 'From', class: 'breaks', cell: ({ address }) => address },
    ...(entries.some((entry) => entry.subject !== null) ? [subject] : []),
    {
      title: 'Detail',
      class: 'breaks',
      cell: ({ detail }) => (detail === null ? null : (ownNames?.get(detail) ?? <code>{detail}</code>)),
    },
  ];
  return <DataTable label="Entries" columns={columns} rows={entries} {...table} />;
}
