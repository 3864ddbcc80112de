import type { KeyObject } from 'node:crypto';
import type { Database } from '../storage/storage.js';
import { isApiKey } from './api-key.js';
import { findKeyId } from './find-key-id.js';
import { hashApiKey } from './hash-api-key.js';

const REMEMBERED_KEYS = 10_000;

/**
 * Finds the identifiers of keys as they are presented. An identifier never changes, so it is remembered and a
 * busy key costs neither hash nor query; whether the key is still live is for the meter to say, each time.
 */
export function keyFinder(db: Database, pepper: KeyObject) {
  const idOf = new Map<string, number>();

  const find = async (presented: string) => {
    const id = await findKeyId(db, hashApiKey(pepper, presented));
    if (id === undefined) return undefined;
    if (idOf.size >= REMEMBERED_KEYS) idOf.clear();
    idOf.set(presented, id);
    return id;
  };

  return (presented: string): number | undefined | Promise<number | undefined> =>
    idOf.get(presented) ?? (isApiKey(presented) ? find(presented) : undefined);
}
