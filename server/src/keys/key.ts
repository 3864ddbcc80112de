import type { ApiKeyRow } from '../storage/rows.js';
import { limitFromColumn, type Limit } from '../platform/limit.js';
import type { StoredPermissions } from './permissions.js';

/** A disabled key can be enabled again. An expired or revoked key has ended: it never works again. */
export type KeyState = 'live' | 'disabled' | 'expired' | 'revoked';

/** Who disabled a key. Only operators can enable one that an operator disabled. */
export type DisabledBy = 'owner' | 'operator';

/** A key without its secret part, which is shown only when the key is made. */
export interface Key {
  readonly id: number;
  readonly prefix: string;
  /** The owner's name for the key; null if it has none. */
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
  /** The end date, in the past or the future; null if the key has none. */
  readonly endsAtMs: number | null;
  readonly disabledAtMs: number | null;
  readonly disabledBy: DisabledBy | null;
  readonly revokedAtMs: number | null;
  /** The permissions of the key; null for all. */
  readonly permissions: StoredPermissions;
  /**
   * The id of the key that this one replaced; `replacedById` is that of the key that replaced this one. Null if there
   * is no such key.
   */
  readonly replacesId: number | null;
  readonly replacedById: number | null;
  /** When the last metered request was; null if the key was never used. */
  readonly lastUsedAtMs: number | null;
}

/** The fields that functions which change a key need, also for their audit entries. */
export type OwnedKey = Pick<Key, 'id' | 'prefix' | 'accountId'>;

export type KeyRow = Omit<ApiKeyRow, 'hash'> & {
  readonly project_name: string;
  readonly account_id: string;
  readonly account_email: string;
  readonly replaced_by_id: number | null;
  /** 0 if the key was never used. */
  readonly last_used_at: number;
};

function stateOf({ revoked_at: revokedAt, ends_at: endsAt, disabled_at: disabledAt }: KeyRow, nowMs: number) {
  if (revokedAt !== null) return 'revoked';
  if (endsAt !== null && endsAt <= nowMs) return 'expired';
  return disabledAt === null ? 'live' : 'disabled';
}

/** Returns a function that converts a row to a key, with the key's state at `nowMs`. */
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
    permissions: row.permissions,
    replacesId: row.replaces_id,
    replacedById: row.replaced_by_id,
    lastUsedAtMs: row.last_used_at === 0 ? null : row.last_used_at,
  });

/** Whether a key is neither revoked nor expired. It may be disabled. */
export const isLive = ({ state }: Key): boolean => state === 'live' || state === 'disabled';

/** When a key was revoked or expired; null if neither. */
export const endedAtMs = (key: Key): number | null =>
  isLive(key) ? null : (key.revokedAtMs ?? key.endsAtMs);
