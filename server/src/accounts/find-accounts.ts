import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { accountFromRow, type Account } from './account.js';
import { normaliseEmail } from './email.js';

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
