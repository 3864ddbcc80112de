import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ReadContext } from '../audit/domain-context.js';
import type { PreparedQueries } from '../storage/storage.js';
import { hashApiKey, isApiKey } from './api-key.js';
import type { StoredPermissions } from './permissions.js';

/** Why a key does not work: it is revoked or expired for good, or it is disabled for now. */
export type KeyProblem =
  | { readonly why: 'revoked' | 'disabled' | 'disabledByOperator' }
  | { readonly why: 'expired'; readonly atMs: number };

interface KeyLifeRow {
  readonly revokedAt: number | null;
  readonly endsAt: number | null;
  readonly disabledAt: number | null;
  readonly byOperator: boolean | 0 | 1;
  readonly accountDisabledAt: number | null;
}

/** Why a key does not work; undefined if it does. Unknown keys and those of disabled accounts count as revoked. */
export async function findKeyProblem(
  { db, clock }: ReadContext,
  id: number,
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
  if (row === undefined || row.revokedAt !== null || row.accountDisabledAt !== null)
    return { why: 'revoked' };
  if (row.endsAt !== null && row.endsAt <= clock()) return { why: 'expired', atMs: row.endsAt };
  if (row.disabledAt === null) return undefined;
  return { why: row.byOperator ? 'disabledByOperator' : 'disabled' };
}

/** The name of the project that a key belongs to; undefined if there is no such key. */
export async function findProjectName(db: ReadContext['db'], keyId: number): Promise<string | undefined> {
  const row = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where({ 'api_keys.id': keyId })
    .first<{ readonly name: string } | undefined>('projects.name as name');
  return row?.name;
}

/** How many keys to cache. Each request of a key that is not cached costs a query. */
const REMEMBERED_KEYS = 100_000;

/** The fields of a key that are cached, because they never change. */
export interface KnownKey {
  readonly id: number;
  readonly accountId: string;
  /** Missing if the key may do everything. */
  readonly permissions?: StoredPermissions;
}

/**
 * Finds the API key that a request presents; undefined if there is none. Does not check whether the key still works.
 */
export type FindKey = (presented: string) => Promise<KnownKey | undefined>;

const FIND_BY_HASH = `
  SELECT k.id, p.account_id AS "accountId", k.permissions FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE k.hash = ?`;

/**
 * Finds keys by the text that requests present, and caches them, so that a busy key costs neither a hash nor a
 * query. Does not check whether a key still works: the meter does, for each request. Uses a prepared statement,
 * because with the query builder the first request of each key after a start took four times as long as the next.
 */
export function createKeyFinder(queries: Pick<PreparedQueries, 'all'>, pepper: KeyObject): FindKey {
  const cache = new LRUCache<string, KnownKey>({ max: REMEMBERED_KEYS });

  return async (presented) => {
    const remembered = cache.get(presented);
    if (remembered !== undefined || !isApiKey(presented)) return remembered;
    const [row] = await queries.all<Required<KnownKey>>(FIND_BY_HASH, [hashApiKey(pepper, presented)]);
    if (row === undefined) return undefined;
    const { id, accountId, permissions } = row;
    const key = permissions === null ? { id, accountId } : row;
    cache.set(presented, key);
    return key;
  };
}
