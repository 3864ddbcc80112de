import { AUDIT_KINDS, isAuditKind } from '../../audit/kinds.js';
import type { AuditEntry, NamedAccount } from '../../audit/read-audit.js';
import { Timestamp } from './formatting.js';

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  /** The page of an account, for those who may see it. */
  readonly linkOf?: (accountId: string) => string;
}

interface NameProps {
  readonly account: NamedAccount | null;
  /** What stands in its place where there is none. */
  readonly unknown: string;
  readonly linkOf: AuditTableProps['linkOf'] | undefined;
}

function Name({ account, unknown, linkOf }: NameProps) {
  if (account === null) return <span class="muted">{unknown}</span>;
  const { id, email } = account;
  if (email === null) {
    return (
      <>
        <code>{id}</code> <span class="muted">deleted</span>
      </>
    );
  }
  return linkOf === undefined ? <>{email}</> : <a href={linkOf(id)}>{email}</a>;
}

const BY_NOBODY = new Map([
  ['cli', 'the command line'],
  ['server', 'the server'],
]);

/** Entries of the audit, one a row. */
export function AuditTable({ entries, linkOf }: AuditTableProps) {
  return (
    <div class="table" tabindex={0} role="region" aria-label="Entries">
      <table aria-label="Entries">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What</th>
            <th scope="col">By</th>
            <th scope="col">From</th>
            <th scope="col">Account</th>
            <th scope="col">Detail</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, atMs, kind, via, actor, subject, address, detail }) => (
            <tr key={id}>
              <td class="nowrap">
                <Timestamp timeMs={atMs} />
              </td>
              <td>{isAuditKind(kind) ? AUDIT_KINDS[kind] : kind}</td>
              <td>
                <Name account={actor} unknown={BY_NOBODY.get(via) ?? 'unknown'} linkOf={linkOf} />
              </td>
              <td>{address}</td>
              <td>
                <Name account={subject} unknown="" linkOf={linkOf} />
              </td>
              <td>{detail === null ? null : <code>{detail}</code>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
