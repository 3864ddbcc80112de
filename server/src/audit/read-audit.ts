import { LIMITS } from '@signpost/contract';
import type { Sort } from '../platform/sort.js';
import type { AuditRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** An account in an audit entry: the one that acted or the one that was acted on. */
export interface NamedAccount {
  readonly id: string;
  /** Null if the account was deleted. */
  readonly email: string | null;
}

export interface AuditEntry {
  readonly id: string;
  readonly atMs: number;
  readonly kind: string;
  readonly via: string;
  readonly actor: NamedAccount | null;
  readonly subject: NamedAccount | null;
  readonly address: string | null;
  readonly detail: string | null;
}

export interface AuditFilter {
  /** Only entries in which this account acted or was acted on. */
  readonly accountId?: string | undefined;
  readonly kind?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** Only entries before this time. */
  readonly untilMs?: number | undefined;
  /** Only entries older than the entry with this id. */
  readonly beforeId?: string | undefined;
}

/** Entries are sorted by time, by default newest first. */
export const AUDIT_SORTS = [{ by: 'time', isDescending: true }] as const satisfies readonly Sort[];

export interface AuditPage extends AuditFilter {
  readonly sort?: Sort<'time'>;
  readonly offset?: number;
  readonly limit: number;
}

type EntryRow = AuditRow & { readonly actor_email: string | null; readonly subject_email: string | null };

const namedAccount = (id: string | null, email: string | null): NamedAccount | null =>
  id === null ? null : { id, email };

const entryFromRow = (row: EntryRow): AuditEntry => ({
  id: row.id,
  atMs: row.at,
  kind: row.kind,
  via: row.via,
  actor: namedAccount(row.actor_id, row.actor_email),
  subject: namedAccount(row.subject_id, row.subject_email),
  address: row.address,
  detail: row.detail,
});

function matchingEntries(db: Database, { accountId, kind, sinceMs, untilMs, beforeId }: AuditFilter) {
  const entries = db('audit');
  if (kind !== undefined) void entries.where({ kind });
  if (sinceMs !== undefined) void entries.where('at', '>=', sinceMs);
  if (untilMs !== undefined) void entries.where('at', '<', untilMs);
  if (beforeId !== undefined) void entries.where('audit.id', '<', beforeId);
  if (accountId !== undefined) {
    void entries.where((entry) => {
      void entry.where({ actor_id: accountId }).orWhere({ subject_id: accountId });
    });
  }
  return entries;
}

/** Lists entries, newest first by default, with the e-mails of accounts that still exist. */
export async function listEntries(db: Database, { sort, offset = 0, limit, ...filter }: AuditPage) {
  const emailOf = (column: string) => db('accounts').where('accounts.id', db.ref(column)).select('email');
  const rows = await matchingEntries(db, filter)
    .orderBy('audit.id', sort?.isDescending === false ? 'asc' : 'desc')
    .offset(offset)
    .limit(limit)
    .select('audit.*')
    .select<EntryRow[]>(
      emailOf('audit.actor_id').as('actor_email'),
      emailOf('audit.subject_id').as('subject_email'),
    );
  return rows.map(entryFromRow);
}

/**
 * Counts the entries that match the filter. Stops at LIMITS.pagedAuditEntries.max: an account may have millions, and
 * counting all of them would take long.
 */
async function countEntries(db: Database, filter: AuditFilter): Promise<number> {
  const counting = matchingEntries(db, filter)
    .select('audit.id')
    .limit(LIMITS.pagedAuditEntries.max)
    .as('counting');
  const { total } = await db
    .from(counting)
    .first<{ readonly total: number | string }>(db.raw('COUNT(*) AS total'));
  return Number(total);
}

const ENTRIES_PER_READ = 500;

/** Reads all entries that match the filter, newest first, in batches. Ignores the filter's `beforeId`. */
async function* readEntries(db: Database, filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> {
  let beforeId: string | undefined;
  for (;;) {
    const entries = await listEntries(db, { ...filter, beforeId, limit: ENTRIES_PER_READ });
    if (entries.length > 0) yield entries;
    beforeId = entries.at(-1)?.id;
    if (entries.length < ENTRIES_PER_READ) return;
  }
}

/** Creates a reader of entries for code that must not access the database. */
export const createAuditReader = (db: Database) => ({
  list: (page: AuditPage) => listEntries(db, page),
  all: (filter: AuditFilter) => readEntries(db, filter),
  count: (filter: AuditFilter) => countEntries(db, filter),
});

export type AuditReader = ReturnType<typeof createAuditReader>;
