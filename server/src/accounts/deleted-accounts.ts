import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** How many ids one SQL statement looks up. Both database engines would accept more. */
const IDS_AT_ONCE = 1_000;

/** A cache that holds entries of accounts. */
export interface AccountCache {
  accountIds(): string[];
  forget(accountId: string): void;
}

/** Drops the cached entries of deleted accounts, whichever server deleted them. */
export async function forgetDeletedAccounts(db: Database, caches: readonly AccountCache[]): Promise<void> {
  const ids = [...new Set(caches.flatMap((cache) => cache.accountIds()))];
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const batch = ids.slice(at, at + IDS_AT_ONCE);
    const rows: Pick<AccountRow, 'id'>[] = await db<AccountRow>('accounts').whereIn('id', batch).select('id');
    const live = new Set(rows.map(({ id }) => id));
    for (const deleted of batch.filter((id) => !live.has(id)))
      for (const cache of caches) cache.forget(deleted);
  }
}
