import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@signpost/contract';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import type { RandomBytes } from '../platform/random.js';
import { DAY_MS } from '../platform/time-units.js';
import { keyIsLive } from '../storage/key-life.js';
import { type ApiKeyRow, lockAccount, lockProject } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { generateApiKey, hashApiKey, prefixOf } from './api-key.js';

export interface NewKey {
  readonly projectId: string;
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
  readonly name?: string | null | undefined;
  readonly note?: string | null | undefined;
  /** When the key expires, in milliseconds since 1970. */
  readonly endsAtMs?: number | null | undefined;
  /** The key that the new one replaces. */
  readonly replacesId?: number | undefined;
}

export interface CreateKeyDeps {
  readonly keyPepper: KeyObject;
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
}

export interface CreatedKey {
  readonly id: number;
  /** The secret key. It is shown only this once, because only its hash is stored. */
  readonly key: string;
  readonly prefix: string;
}

/** Creates a key for a project that is not deleted. Missing limits are the server's defaults. */
export async function createKey(db: Database, deps: CreateKeyDeps, wanted: NewKey): Promise<CreatedKey> {
  if (!(await lockProject(db, { id: wanted.projectId })))
    throw new ServiceError('notFound', 'The project is deleted. Choose another for the key.');
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
      name: wanted.name ?? null,
      note: wanted.note ?? null,
      ends_at: wanted.endsAtMs ?? null,
      replaces_id: wanted.replacesId ?? null,
    })
    .returning('id');
  if (row === undefined) throw new Error('The database answered no number for the key.');
  return { id: row.id, key, prefix };
}

/**
 * Limits are per key: without a maximum number of keys, an account would have no limit. The command line can make
 * more.
 */
const MAX_KEYS = LIMITS.keysOfAccount.max;

export interface CappedKey extends NewKey {
  /** The owner of the project. */
  readonly accountId: string;
}

/** Counts active keys, and keys made today that no longer work, because both could use today's limits. */
async function countKeys(db: Database, accountId: string, nowMs: number) {
  const isLive = keyIsLive('api_keys');
  const counts = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', accountId)
    .where((either) => {
      void either.whereRaw(isLive, [nowMs]).orWhere('api_keys.created_at', '>=', nowMs - (nowMs % DAY_MS));
    })
    .first<{ readonly total: number | string; readonly live: number | string }>(
      db.raw('COUNT(*) AS total'),
      db.raw(`COUNT(CASE WHEN ${isLive} THEN 1 END) AS live`, [nowMs]),
    );
  const live = Number(counts.live);
  return { live, over: Number(counts.total) - live };
}

const tooManyKeys = (live: number, over: number) =>
  new ServiceError(
    'invalidRequest',
    live >= MAX_KEYS
      ? `You have ${live} live keys, the most that an account may make. Revoke one, or ask the operator for more; ` +
          'a key of today (UTC) makes room tomorrow.'
      : `You have ${live} live keys, and ${over} of those made today (UTC) are revoked or have ended; an account may ` +
          `have ${MAX_KEYS} of both. Try again tomorrow, or ask the operator for more.`,
  );

/**
 * Creates a key for a project as `createKey` does, if the account has fewer keys than its owner may make. Throws a
 * ServiceError if it has too many, even if several callers create keys at once.
 */
export async function createCappedKey(
  db: Database,
  deps: CreateKeyDeps,
  { accountId, ...wanted }: CappedKey,
): Promise<CreatedKey> {
  return db.transaction(async (transaction) => {
    await lockAccount(transaction, { id: accountId });
    const { live, over } = await countKeys(transaction, accountId, deps.clock());
    if (live + over >= MAX_KEYS) throw tooManyKeys(live, over);
    return createKey(transaction, deps, wanted);
  });
}
