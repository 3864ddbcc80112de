import type { ApiKeyRow } from '../storage/rows.js';
import { limitFromColumn, type Limit } from './limit.js';

/** A key as people see it: everything but the key itself, which is shown once when it is made. */
export interface Key {
  readonly id: number;
  readonly prefix: string;
  readonly projectName: string;
  readonly accountEmail: string;
  readonly perMinute: Limit;
  readonly perDay: Limit;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}

export type KeyRow = Omit<ApiKeyRow, 'hash' | 'project_id'> & {
  readonly project_name: string;
  readonly account_email: string;
};

export const keyFromRow = (row: KeyRow): Key => ({
  id: row.id,
  prefix: row.prefix,
  projectName: row.project_name,
  accountEmail: row.account_email,
  perMinute: limitFromColumn(row.per_minute),
  perDay: limitFromColumn(row.per_day),
  createdAtMs: row.created_at,
  revokedAtMs: row.revoked_at,
});
