import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

const LOOK_EVERY_MS = 60_000;
/** Fewer than a statement takes, on either database. */
const IDS_AT_ONCE = 1_000;

/** What is kept in memory for accounts. */
export interface KeptForAccounts {
  accountIds(): string[];
  forget(accountId: string): void;
}

/** Drops what is kept for accounts that there are no longer, wherever they were deleted. */
export async function forgetDeletedAccounts(db: Database, kept: readonly KeptForAccounts[]): Promise<void> {
  const ids = [...new Set(kept.flatMap((one) => one.accountIds()))];
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const asked = ids.slice(at, at + IDS_AT_ONCE);
    const rows: Pick<AccountRow, 'id'>[] = await db<AccountRow>('accounts').whereIn('id', asked).select('id');
    const live = new Set(rows.map(({ id }) => id));
    for (const id of asked.filter((one) => !live.has(one))) for (const one of kept) one.forget(id);
  }
}

/** Does so every minute until it is stopped; where nothing is kept it asks nothing. */
export function keepForgettingAccounts(
  db: Database,
  kept: readonly KeptForAccounts[],
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let forgetting = Promise.resolve();
  const timer = setInterval(() => {
    forgetting = forgetDeletedAccounts(db, kept).catch(onError);
  }, LOOK_EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await forgetting;
    },
  };
}
