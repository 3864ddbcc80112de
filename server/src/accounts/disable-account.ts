import type { Clock } from '../clock.js';
import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { removeSessionsOf } from './remove-sessions.js';

/**
 * Refuses every key and token of an account from the next request on and ends its sessions. The time of a first
 * disabling stays.
 */
export async function disableAccount(db: Database, accountId: string, clock: Clock): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction<AccountRow>('accounts')
      .where({ id: accountId })
      .whereNull('disabled_at')
      .update({ disabled_at: clock() });
    await removeSessionsOf(transaction, accountId);
  });
}
