import { limitFromColumn, type Limit } from '../limit.js';
import type { AccountRow } from '../storage/rows.js';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly isOperator: boolean;
  readonly hasApiAccess: boolean;
  readonly mustChangePassword: boolean;
  readonly disabledAtMs: number | null;
  readonly createdAtMs: number;
  /** How many captures it may have under way at the same time, on each server. */
  readonly captures: Limit;
}

export const accountFromRow = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isOperator: Boolean(row.is_operator),
  hasApiAccess: Boolean(row.has_api_access),
  mustChangePassword: Boolean(row.must_change_password),
  disabledAtMs: row.disabled_at,
  createdAtMs: row.created_at,
  captures: limitFromColumn(row.captures),
});
