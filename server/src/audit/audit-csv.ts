import { csvLine } from '../platform/csv.js';
import { AUDIT_KINDS, isAuditKind } from './kinds.js';
import type { AuditEntry } from './read-audit.js';

const HEADINGS = [
  'time',
  'kind',
  'what',
  'by',
  'by account',
  'via',
  'from',
  'account',
  'account identifier',
  'detail',
];

const cellsOf = ({ atMs, kind, via, actor, subject, address, detail }: AuditEntry) => [
  new Date(atMs).toISOString(),
  kind,
  isAuditKind(kind) ? AUDIT_KINDS[kind] : kind,
  actor?.email ?? '',
  actor?.id ?? '',
  via,
  address ?? '',
  subject?.email ?? '',
  subject?.id ?? '',
  detail ?? '',
];

/** Yields audit entries as CSV: first the line of headings, then the lines of each batch of entries. */
export async function* auditCsv(entries: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  yield csvLine(HEADINGS);
  for await (const some of entries) yield some.map((entry) => csvLine(cellsOf(entry))).join('');
}
