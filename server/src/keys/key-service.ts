import { type Limit, limitToColumn } from '../platform/limit.js';
import type { ApiKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { type CappedKey, createCappedKey, type CreateKeyDeps } from './create-key.js';
import { findKeyOf, listKeysByProject, listLiveKeys } from './find-keys.js';

/** Ends a key for good: its next request is refused on every server. The time of a first revocation stays. */
export async function revokeKey(db: Database, keyId: number, nowMs: number): Promise<void> {
  await db<ApiKeyRow>('api_keys').where({ id: keyId }).whereNull('revoked_at').update({ revoked_at: nowMs });
}

interface NewLimits {
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

interface KeyServiceDeps extends CreateKeyDeps {
  readonly db: Database;
}

/** The keys of accounts for whoever must not see the database. */
export function createKeyService(deps: KeyServiceDeps) {
  const { db, clock } = deps;
  return {
    listLive: (accountId: string) => listLiveKeys(db, accountId),
    listByProject: (accountId: string) => listKeysByProject(db, accountId),
    find: (accountId: string, keyId: number) => findKeyOf(db, accountId, keyId),
    create: (wanted: CappedKey) => createCappedKey(db, deps, wanted),
    revoke: (keyId: number) => revokeKey(db, keyId, clock()),
    setLimits: (keyId: number, limits: NewLimits) => setLimits(db, keyId, limits),
  };
}

export type KeyService = ReturnType<typeof createKeyService>;
