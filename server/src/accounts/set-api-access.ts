import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** Lets an account use the referral interface's tokens, or no longer. */
export async function setApiAccess(db: Database, accountId: string, hasApiAccess: boolean): Promise<void> {
  await db<AccountRow>('accounts').where({ id: accountId }).update({ has_api_access: hasApiAccess });
}
