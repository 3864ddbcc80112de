import type { KeyObject } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import type { RandomBytes } from '../platform/random.js';
import { type ApiKeyRow, lockAccount } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { generateApiKey, hashApiKey, prefixOf } from './api-key.js';

export interface NewKey {
  readonly projectId: string;
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
}

export interface CreateKeyDeps {
  readonly keyPepper: KeyObject;
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
}

export interface CreatedKey {
  readonly id: number;
  /** The key itself, to be shown this once: only its hash is stored. */
  readonly key: string;
  readonly prefix: string;
}

/** Makes a key for a project; its limits are the server's defaults where none are given. */
export async function createKey(db: Database, deps: CreateKeyDeps, wanted: NewKey): Promise<CreatedKey> {
  const key = generateApiKey(deps.randomBytes);
  const prefix = prefixOf(key);
  const [row] = await db<ApiKeyRow>('api_keys')
    .insert({
      project_id: wanted.projectId,
      hash: hashApiKey(deps.keyPepper, key),
      prefix,
      per_minute: limitToColumn(wanted.perMinute ?? 'default'),
      per_day: limitToColumn(wanted.perDay ?? 'default'),
      created_at: deps.clock(),
    })
    .returning('id');
  if (row === undefined) throw new Error('The database answered no number for the key.');
  return { id: row.id, key, prefix };
}

/** Limits hold per key: without a cap on keys, whoever signs up has no limit. The command line makes more. */
const MAX_KEYS = 20;
const dayMs = 86_400_000;

export interface CappedKey {
  readonly accountId: string;
  /** A project of that account. */
  readonly projectId: string;
}

/** Keys that are live, and those of today that are revoked: both have had an allowance of today. */
async function countKeys(db: Database, accountId: string, nowMs: number) {
  const counts = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', accountId)
    .where((either) => {
      void either
        .whereNull('api_keys.revoked_at')
        .orWhere('api_keys.created_at', '>=', nowMs - (nowMs % dayMs));
    })
    .count({ all: 'api_keys.id', revoked: 'api_keys.revoked_at' });
  const revoked = Number(counts[0]?.['revoked'] ?? 0);
  return { live: Number(counts[0]?.['all'] ?? 0) - revoked, revoked };
}

const tooManyKeys = (live: number, revoked: number) =>
  new ServiceError(
    'invalidRequest',
    live >= MAX_KEYS
      ? `You have ${live} live keys, the most that an account may make. Revoke one, or ask the operator for more; ` +
          'a key of today (UTC) makes room tomorrow.'
      : `You have ${live} live keys and revoked ${revoked} of those made today (UTC); an account may have ` +
          `${MAX_KEYS} of both. Try again tomorrow, or ask the operator for more.`,
  );

/**
 * Makes a key for a project as `createKey` does, where the account has not made as many as people may make themselves.
 * Throws a ServiceError where it has, however many ask at once.
 */
export async function createCappedKey(
  db: Database,
  deps: CreateKeyDeps,
  { accountId, projectId }: CappedKey,
): Promise<CreatedKey> {
  return db.transaction(async (transaction) => {
    await lockAccount(transaction, { id: accountId });
    const { live, revoked } = await countKeys(transaction, accountId, deps.clock());
    if (live + revoked >= MAX_KEYS) throw tooManyKeys(live, revoked);
    return createKey(transaction, deps, { projectId });
  });
}
