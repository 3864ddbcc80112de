import type { AccountRow } from './rows.js';
import type { Database } from './storage.js';

/**
 * Makes other transactions that lock or change this account wait until this one ends; first in it, before anything is
 * read. Answers false, and locks nothing, where there is no account of which all that is named is so.
 */
export async function lockAccount(
  transaction: Database,
  account: Pick<AccountRow, 'id'> & Partial<AccountRow>,
): Promise<boolean> {
  const locked = await transaction<AccountRow>('accounts').where(account).update({ id: account.id });
  return locked > 0;
}
