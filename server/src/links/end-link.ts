import { lockAccount } from '../storage/locks.js';
import { inTransaction } from '../storage/storage.js';
import { chunkRows, type LinkContext, linkRows } from './link.js';

/**
 * Ends a link of an account for good, and deletes its capture. All servers reject the next request for the link.
 * Returns false if the account has no such link, or if the link was ended before.
 */
export async function endLink(
  { db, clock, audit, actor }: Omit<LinkContext, 'linkSealer'>,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    await lockAccount(transaction, { id: accountId });
    const ended = await linkRows(transaction)
      .where({ id, account_id: accountId, ended_at: null })
      .update({ ended_at: clock(), capture_id: null, media_type: null, bytes: null, captured_at: null });
    if (ended === 0) return false;
    await chunkRows(transaction).where({ link_id: id }).delete();
    await audit.record(transaction, actor, { kind: 'capture-link.ended', subjectId: accountId, detail: id });
    return true;
  });
}
