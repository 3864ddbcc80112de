import type { KeyObject } from 'node:crypto';
import type { Database } from '../storage/storage.js';
import { isApiKey } from './api-key.js';
import { hashApiKey } from './hash-api-key.js';

const REMEMBERED_KEYS = 10_000;

/** What of a key never changes. */
export interface KnownKey {
  readonly id: number;
  readonly accountId: string;
}

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
export function keyFinder(db: Database, pepper: KeyObject) {
  const known = new Map<string, KnownKey>();

  const find = async (presented: string) => {
    const key = await findKeyByHash(db, hashApiKey(pepper, presented));
    if (key === undefined) return undefined;
    if (known.size >= REMEMBERED_KEYS) known.clear();
    known.set(presented, key);
    return key;
  };

  return (presented: string): KnownKey | undefined | Promise<KnownKey | undefined> =>
    known.get(presented) ?? (isApiKey(presented) ? find(presented) : undefined);
}
