import { z } from 'zod';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitFromColumn } from '../platform/limit.js';
import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

const MAX_CHARACTERS = 254;
const MAX_LOCAL_CHARACTERS = 64;

/** Whether a text, in lower case and trimmed, is an e-mail address that an account can have. */
export const isEmail = (email: string): boolean =>
  email.length <= MAX_CHARACTERS &&
  email.indexOf('@') <= MAX_LOCAL_CHARACTERS &&
  z.regexes.html5Email.test(email);

/**
 * An e-mail address as it is stored and compared: trimmed, in lower case. What browsers take as an address is
 * one, so that `operator@localhost` is.
 */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (isEmail(email)) return email;
  if (email.length > MAX_CHARACTERS)
    throw new ServiceError('invalidRequest', `An e-mail address has at most ${MAX_CHARACTERS} characters.`);
  throw new ServiceError('invalidRequest', `"${text}" is not an e-mail address such as "ada@example.org".`);
}

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
  /** How many requests its keys may make together. */
  readonly perMinute: Limit;
  readonly perDay: Limit;
  /** Whether its sign-in asks for a code, too. */
  readonly hasSecondFactor: boolean;
  /** Whether its owner wants a mail when much of a day's limit is used. */
  readonly wantsAlerts: boolean;
  /** Whether the log of its requests has the addresses of the pages that were asked for. */
  readonly logsPages: boolean;
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
  perMinute: limitFromColumn(row.per_minute),
  perDay: limitFromColumn(row.per_day),
  hasSecondFactor: Boolean(row.has_second_factor),
  wantsAlerts: !row.alerts_off,
  logsPages: Boolean(row.logs_pages),
});

/** Whether there is any account yet. */
export const hasAccounts = async (db: Database): Promise<boolean> =>
  (await db<AccountRow>('accounts').first('id')) !== undefined;

/** All accounts, by e-mail. */
export async function listAccounts(db: Database): Promise<Account[]> {
  const rows: AccountRow[] = await db<AccountRow>('accounts').orderBy('email');
  return rows.map(accountFromRow);
}

/** What is none, as one with a NUL byte, is kept away from the database, which may not take it. */
const isAccountId = (text: string) => /^acc_\w+$/u.test(text);

/** The account with this identifier; undefined where there is none. */
export async function findAccountById(db: Database, id: string): Promise<Account | undefined> {
  if (!isAccountId(id)) return undefined;
  const row: AccountRow | undefined = await db<AccountRow>('accounts').where({ id }).first();
  return row && accountFromRow(row);
}

/** The account with this e-mail, in any case; undefined where there is none. */
export async function findAccount(db: Database, email: string): Promise<Account | undefined> {
  const row: AccountRow | undefined = await db<AccountRow>('accounts')
    .where({ email: normaliseEmail(email) })
    .first();
  return row && accountFromRow(row);
}
