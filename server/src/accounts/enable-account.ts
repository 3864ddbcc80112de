import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** Takes a disabling back: the account's keys work again. */
export async function enableAccount(db: Database, accountId: string): Promise<void> {
  await db<AccountRow>('accounts').where({ id: accountId }).update({ disabled_at: null });
}
