import type { ApiKeyRow } from '../storage/rows.js';
import { limitFromColumn, type Limit } from '../platform/limit.js';

/** A key as people see it: everything but the key itself, which is shown once when it is made. */
export interface Key {
  readonly id: number;
  readonly prefix: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly accountId: string;
  readonly accountEmail: string;
  readonly perMinute: Limit;
  readonly perDay: Limit;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
  /** When its last request was counted; null where there was none. */
  readonly lastUsedAtMs: number | null;
}

export type KeyRow = Omit<ApiKeyRow, 'hash'> & {
  readonly project_name: string;
  readonly account_id: string;
  readonly account_email: string;
  /** 0 where it was never used; PostgreSQL answers what it computes of large integers as text. */
  readonly last_used_at: number | string;
};

export const keyFromRow = (row: KeyRow): Key => ({
  id: row.id,
  prefix: row.prefix,
  projectId: row.project_id,
  projectName: row.project_name,
  accountId: row.account_id,
  accountEmail: row.account_email,
  perMinute: limitFromColumn(row.per_minute),
  perDay: limitFromColumn(row.per_day),
  createdAtMs: row.created_at,
  revokedAtMs: row.revoked_at,
  lastUsedAtMs: Number(row.last_used_at) === 0 ? null : Number(row.last_used_at),
});
