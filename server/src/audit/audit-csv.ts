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

/** Spreadsheets treat a cell that begins like this as a formula, and would run what somebody wrote into the audit. */
const FORMULA = /^[=+\-@\t\r]/u;

/** A cell in the format of RFC 4180, and never a formula. */
function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

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

/** Audit entries as CSV for spreadsheets, some lines at a time. */
export async function* auditCsv(entries: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  yield csvLine(HEADINGS);
  for await (const some of entries) yield some.map((entry) => csvLine(cellsOf(entry))).join('');
}
