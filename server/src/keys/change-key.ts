import { type Limit, limitToColumn } from '../platform/limit.js';
import type { ApiKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** Ends a key for good: its next request is refused on every server. The time of a first revocation stays. */
export async function revokeKey(db: Database, keyId: number, nowMs: number): Promise<void> {
  await db<ApiKeyRow>('api_keys').where({ id: keyId }).whereNull('revoked_at').update({ revoked_at: nowMs });
}

export interface NewLimits {
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
}

/** Changes the limits that are given and leaves the others; holds from the key's next request on. */
export async function setLimits(
  db: Database,
  keyId: number,
  { perMinute, perDay }: NewLimits,
): Promise<void> {
  await db<ApiKeyRow>('api_keys')
    .where({ id: keyId })
    .update({
      ...(perMinute === undefined ? {} : { per_minute: limitToColumn(perMinute) }),
      ...(perDay === undefined ? {} : { per_day: limitToColumn(perDay) }),
    });
}
