import { findAccountId } from '../../accounts/account.js';
import type { DomainContext } from '../../audit/domain-context.js';
import { DAY_MS, parseDay } from '../../platform/time-units.js';
import { isAuditKind } from '../../audit/kinds.js';
import type { AuditFilter } from '../../audit/read-audit.js';

/** The filters of the audit. `from` and `to` are days in UTC, such as 2026-11-23, and both are included. */
export const AUDIT_FILTERS = ['account', 'kind', 'from', 'to'] as const;

export type AuditQuery = Readonly<Record<(typeof AUDIT_FILTERS)[number], string>>;

/** Parses the filters. An unknown kind or invalid day filters nothing; an unknown account matches no entry. */
export async function auditFilter(
  { account, kind, from, to }: AuditQuery,
  domain: Pick<DomainContext, 'db'>,
): Promise<AuditFilter> {
  const lastDayMs = parseDay(to);
  return {
    accountId: account.trim() === '' ? undefined : await findAccountId(domain, account),
    kind: isAuditKind(kind) ? kind : undefined,
    sinceMs: parseDay(from),
    untilMs: lastDayMs === undefined ? undefined : lastDayMs + DAY_MS,
  };
}
