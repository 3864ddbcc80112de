import { countRevokedKeys, listLiveKeys, listRevokedKeys } from './find-keys.js';
import type { Key } from './key.js';
import type { Database } from '../storage/storage.js';

/** Revoked keys add up for years; those of long ago are nobody's concern. */
export const MAX_LISTED_REVOKED_KEYS = 50;

/** The revoked keys of one project. */
export interface RevokedKeysOfProject {
  /** Those of them that are among the account's latest, the latest first. */
  readonly shown: readonly Key[];
  readonly count: number;
}

/** The keys of one project. */
export interface KeysOfProject {
  /** Oldest first. */
  readonly live: readonly Key[];
  readonly revoked: RevokedKeysOfProject;
}

/** The keys of an account that its pages show. */
export interface KeysByProject {
  readonly live: readonly Key[];
  /** Whether there is or was any key. */
  readonly hasKeys: boolean;
  ofProject(projectId: string): KeysOfProject;
}

function byProject(keys: readonly Key[]): ReadonlyMap<string, readonly Key[]> {
  const keysOf = new Map<string, Key[]>();
  for (const key of keys) {
    const there = keysOf.get(key.projectId);
    if (there === undefined) keysOf.set(key.projectId, [key]);
    else there.push(key);
  }
  return keysOf;
}

/** Reads all live keys of an account and the latest of the revoked ones. */
export async function listKeysByProject(db: Database, accountId: string): Promise<KeysByProject> {
  const [live, revoked, revokedCounts] = await Promise.all([
    listLiveKeys(db, accountId),
    listRevokedKeys(db, accountId, MAX_LISTED_REVOKED_KEYS),
    countRevokedKeys(db, accountId),
  ]);
  const liveOf = byProject(live);
  const revokedOf = byProject(revoked);
  return {
    live,
    hasKeys: live.length > 0 || revoked.length > 0,
    ofProject: (projectId) => ({
      live: liveOf.get(projectId) ?? [],
      revoked: { shown: revokedOf.get(projectId) ?? [], count: revokedCounts.get(projectId) ?? 0 },
    }),
  };
}
