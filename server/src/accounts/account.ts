import { z } from 'zod';
import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitFromColumn } from '../platform/limit.js';
import type { AccountRow } from '../storage/rows.js';

const MAX_CHARACTERS = 254;
const MAX_LOCAL_CHARACTERS = 64;

/** Whether a trimmed text in lower case is a valid e-mail address for an account. */
export const isEmail = (email: string): boolean =>
  email.length <= MAX_CHARACTERS &&
  email.indexOf('@') <= MAX_LOCAL_CHARACTERS &&
  z.regexes.html5Email.test(email);

/**
 * Normalizes an e-mail address for storage and comparison: trimmed, in lower case. Accepts every address that browsers
 * accept and that is not too long, so also `operator@localhost`. Throws a ServiceError for any other text.
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
  /** The maximum number of concurrent captures, on each server. */
  readonly captures: Limit;
  /** The limits `perMinute` and `perDay` count the requests with all keys of the account together. */
  readonly perMinute: Limit;
  readonly perDay: Limit;
  /** Whether signing in also requires a code. */
  readonly hasSecondFactor: boolean;
  /** Whether the owner wants a mail when a day's limit is nearly or wholly used up. */
  readonly wantsAlerts: boolean;
  /** Whether the request log stores the page addresses in the account's requests. */
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

type DbContext = Pick<DomainContext, 'db'>;

/** Whether any account exists. */
export const hasAccounts = async ({ db }: DbContext): Promise<boolean> =>
  (await db<AccountRow>('accounts').first('id')) !== undefined;

/** All accounts, sorted by e-mail. */
export async function listAccounts({ db }: DbContext): Promise<Account[]> {
  const rows: AccountRow[] = await db<AccountRow>('accounts').orderBy('email');
  return rows.map(accountFromRow);
}

/**
 * Whether a text can be the id of an account. Other texts are not looked up in the database, because PostgreSQL rejects
 * some, such as those with NUL.
 */
const isAccountId = (text: string) => /^acc_\w+$/u.test(text);

/** The account with this id; undefined if there is none. */
export async function findAccountById({ db }: DbContext, id: string): Promise<Account | undefined> {
  if (!isAccountId(id)) return undefined;
  const row: AccountRow | undefined = await db<AccountRow>('accounts').where({ id }).first();
  return row && accountFromRow(row);
}

/**
 * The account with this e-mail, in upper or lower case; undefined if there is none. Throws a ServiceError if the text
 * is not an e-mail.
 */
export async function findAccount({ db }: DbContext, email: string): Promise<Account | undefined> {
  const row: AccountRow | undefined = await db<AccountRow>('accounts')
    .where({ email: normaliseEmail(email) })
    .first();
  return row && accountFromRow(row);
}

/**
 * The id of the account with this e-mail. A text that is not the e-mail of an account is returned trimmed, because it
 * may be an id.
 */
export async function findAccountId(context: DbContext, text: string): Promise<string> {
  const trimmed = text.trim();
  const account = isEmail(trimmed.toLowerCase()) ? await findAccount(context, trimmed) : undefined;
  return account?.id ?? trimmed;
}
