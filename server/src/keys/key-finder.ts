import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../storage/storage.js';
import { hashApiKey, isApiKey } from './api-key.js';

/** Whether a key is neither revoked nor its account disabled. */
export async function isKeyLive(db: Database, id: number): Promise<boolean> {
  const row: object | undefined = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .where({ 'api_keys.id': id, 'api_keys.revoked_at': null, 'accounts.disabled_at': null })
    .first('api_keys.id');
  return row !== undefined;
}

const REMEMBERED_KEYS = 10_000;

/** What of a key never changes. */
export interface KnownKey {
  readonly id: number;
  readonly accountId: string;
}

/** Finds an API key as it was presented; at once where it was seen before. It says nothing of the key being live. */
export type FindKey = (presented: string) => KnownKey | undefined | Promise<KnownKey | undefined>;

/** The key with this hash, undefined where there is none. It says nothing of the key being live. */
export const findKeyByHash = async (db: Database, hash: string): Promise<KnownKey | undefined> =>
  db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where({ hash })
    .first<KnownKey | undefined>('api_keys.id', 'projects.account_id as accountId');

/**
 * Finds keys as they are presented. What is found never changes, so it is remembered and a busy key costs neither hash
 * nor query; whether the key is still live is for the meter to say, each time.
 */
export function createKeyFinder(db: Database, pepper: KeyObject): FindKey {
  const known = new LRUCache<string, KnownKey>({ max: REMEMBERED_KEYS });

  const find = async (presented: string) => {
    const key = await findKeyByHash(db, hashApiKey(pepper, presented));
    if (key === undefined) return undefined;
    known.set(presented, key);
    return key;
  };

  return (presented) => known.get(presented) ?? (isApiKey(presented) ? find(presented) : undefined);
}
