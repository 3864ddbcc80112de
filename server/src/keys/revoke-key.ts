import type { ApiKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** Ends a key for good: its next request is refused on every server. The time of a first revocation stays. */
export async function revokeKey(db: Database, keyId: number, nowMs: number): Promise<void> {
  await db<ApiKeyRow>('api_keys').where({ id: keyId }).whereNull('revoked_at').update({ revoked_at: nowMs });
}
