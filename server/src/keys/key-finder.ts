import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../storage/storage.js';
import { hashApiKey, isApiKey } from './api-key.js';

/** Why a key may not be used: it is over, in whatever way, or it will be of use again. */
export type KeyProblem =
  | { readonly why: 'gone' | 'disabled' | 'disabledByOperator' }
  | { readonly why: 'ended'; readonly atMs: number };

interface KeyLifeRow {
  readonly revokedAt: number | null;
  readonly endsAt: number | null;
  readonly disabledAt: number | null;
  readonly byOperator: boolean | 0 | 1;
  readonly accountDisabledAt: number | null;
}

/** Why a key may not be used; undefined where it may. */
export async function findKeyProblem(
  db: Database,
  id: number,
  nowMs: number,
): Promise<KeyProblem | undefined> {
  const row = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .where({ 'api_keys.id': id })
    .first<KeyLifeRow | undefined>(
      'api_keys.revoked_at as revokedAt',
      'api_keys.ends_at as endsAt',
      'api_keys.disabled_at as disabledAt',
      'api_keys.disabled_by_operator as byOperator',
      'accounts.disabled_at as accountDisabledAt',
    );
  if (row === undefined || row.revokedAt !== null || row.accountDisabledAt !== null) return { why: 'gone' };
  if (row.endsAt !== null && row.endsAt <= nowMs) return { why: 'ended', atMs: row.endsAt };
  if (row.disabledAt === null) return undefined;
  return { why: row.byOperator ? 'disabledByOperator' : 'disabled' };
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
