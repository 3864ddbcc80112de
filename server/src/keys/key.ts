import type { ApiKeyRow } from '../storage/rows.js';
import { limitFromColumn, type Limit } from '../platform/limit.js';

/** A disabled key can be enabled again; one that has ended or is revoked is so for good. */
export type KeyState = 'live' | 'disabled' | 'ended' | 'revoked';

/** Who disabled a key, and may enable it: of what an operator disabled, operators alone. */
export type DisabledBy = 'owner' | 'operator';

/** A key as people see it: everything but the key itself, which is shown once when it is made. */
export interface Key {
  readonly id: number;
  readonly prefix: string;
  /** What its owner calls it; null where it has no name. */
  readonly name: string | null;
  readonly note: string | null;
  readonly projectId: string;
  readonly projectName: string;
  readonly accountId: string;
  readonly accountEmail: string;
  readonly perMinute: Limit;
  readonly perDay: Limit;
  readonly createdAtMs: number;
  readonly state: KeyState;
  /** From when on it is refused for good, whether that is over or not; null where it has no end. */
  readonly endsAtMs: number | null;
  readonly disabledAtMs: number | null;
  readonly disabledBy: DisabledBy | null;
  readonly revokedAtMs: number | null;
  /** The key whose place it took, and the one that took its place. */
  readonly replacesId: number | null;
  readonly replacedById: number | null;
  /** When its last request was counted; null where there was none. */
  readonly lastUsedAtMs: number | null;
}

export type KeyRow = Omit<ApiKeyRow, 'hash'> & {
  readonly project_name: string;
  readonly account_id: string;
  readonly account_email: string;
  readonly replaced_by_id: number | null;
  /** 0 where it was never used; PostgreSQL answers what it computes of large integers as text. */
  readonly last_used_at: number | string;
};

function stateOf({ revoked_at: revokedAt, ends_at: endsAt, disabled_at: disabledAt }: KeyRow, nowMs: number) {
  if (revokedAt !== null) return 'revoked';
  if (endsAt !== null && endsAt <= nowMs) return 'ended';
  return disabledAt === null ? 'live' : 'disabled';
}

/** A key as it stands at a moment. */
export const keyFromRow =
  (nowMs: number) =>
  (row: KeyRow): Key => ({
    id: row.id,
    prefix: row.prefix,
    name: row.name,
    note: row.note,
    projectId: row.project_id,
    projectName: row.project_name,
    accountId: row.account_id,
    accountEmail: row.account_email,
    perMinute: limitFromColumn(row.per_minute),
    perDay: limitFromColumn(row.per_day),
    createdAtMs: row.created_at,
    state: stateOf(row, nowMs),
    endsAtMs: row.ends_at,
    disabledAtMs: row.disabled_at,
    disabledBy: row.disabled_at === null ? null : row.disabled_by_operator ? 'operator' : 'owner',
    revokedAtMs: row.revoked_at,
    replacesId: row.replaces_id,
    replacedById: row.replaced_by_id,
    lastUsedAtMs: Number(row.last_used_at) === 0 ? null : Number(row.last_used_at),
  });

/** Whether a key is neither revoked nor past its end; it may be disabled. */
export const isLive = ({ state }: Key): boolean => state === 'live' || state === 'disabled';

/** When a key stopped working for good; null where it has not. */
export const endedAtMs = (key: Key): number | null =>
  isLive(key) ? null : (key.revokedAtMs ?? key.endsAtMs);
