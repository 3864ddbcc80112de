import type { DomainContext } from '../audit/domain-context.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ApiKeyRow } from '../storage/rows.js';
import { inTransaction } from '../storage/storage.js';
import type { OwnedKey } from './key.js';

/**
 * Revokes a key for good: all servers reject its next request. If the key is already revoked or expired, only adds an
 * audit entry.
 */
export async function revokeKey({ db, clock, audit, actor }: DomainContext, key: OwnedKey): Promise<void> {
  const nowMs = clock();
  await inTransaction(db, async (transaction) => {
    await transaction<ApiKeyRow>('api_keys')
      .where({ id: key.id })
      .whereRaw(keyIsLive('api_keys'), [nowMs])
      .update({ revoked_at: nowMs });
    await audit.record(transaction, actor, {
      kind: 'key.revoked',
      subjectId: key.accountId,
      detail: key.prefix,
    });
  });
}
