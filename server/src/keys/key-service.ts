import type { Database } from '../storage/storage.js';
import { revokeKey, setLimits, type NewLimits } from './change-key.js';
import { createCappedKey, type CappedKey, type CreateKeyDeps } from './create-key.js';
import { findKeyOf, listLiveKeys } from './find-keys.js';
import { listKeysByProject } from './keys-by-project.js';

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
