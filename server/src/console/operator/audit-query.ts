import { findAccountId } from '../../accounts/account.js';
import type { DomainContext } from '../../audit/domain-context.js';
import { DAY_MS } from '../../platform/time-units.js';
import { isAuditKind } from '../../audit/kinds.js';
import type { AuditFilter } from '../../audit/read-audit.js';

/** The filters of the audit. Days are UTC dates such as 2026-11-23; the first and the last day are both included. */
export const AUDIT_FILTERS = ['account', 'kind', 'from', 'to'] as const;

export type AuditQuery = Readonly<Record<(typeof AUDIT_FILTERS)[number], string>>;

/** The start of a day; undefined if the text is not a day. */
function dayMs(text: string): number | undefined {
  const timeMs = /^\d{4}-\d\d-\d\d$/u.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Converts the entered filters to those of the audit. Ignores invalid ones. */
export async function auditFilter(
  { account, kind, from, to }: AuditQuery,
  domain: Pick<DomainContext, 'db'>,
): Promise<AuditFilter> {
  const lastDayMs = dayMs(to);
  return {
    accountId: account === '' ? undefined : await findAccountId(domain, account),
    kind: isAuditKind(kind) ? kind : undefined,
    sinceMs: dayMs(from),
    untilMs: lastDayMs === undefined ? undefined : lastDayMs + DAY_MS,
  };
}
