import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@signpost/contract';
import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import { DAY_MS } from '../platform/time-units.js';
import { keyIsLive } from '../storage/key-life.js';
import { lockAccount, lockProject } from '../storage/locks.js';
import type { ApiKeyRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import { checkKeyDetails, type KeyDetails } from './change-key.js';
import { generateApiKey, hashApiKey, prefixOf } from './api-key.js';
import type { StoredPermissions } from './permissions.js';

export interface NewKey extends KeyDetails {
  /** The owner of the project. */
  readonly accountId: string;
  readonly projectId: string;
  /** If missing, the server's limit per minute applies. `perDay` works alike. */
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
  /** If missing, the key may do everything. */
  readonly permissions?: StoredPermissions | undefined;
  /** The key that the new one replaces. */
  readonly replacesId?: number | undefined;
  /** Set for operators, who may give an account more keys than its owner may make. */
  readonly mayExceedMaximum?: boolean | undefined;
}

export interface KeyContext extends DomainContext {
  /** The secret that keys are hashed with. */
  readonly keyPepper: KeyObject;
}

export interface CreatedKey {
  readonly id: number;
  /** The secret key. It is shown only this once, because only its hash is stored. */
  readonly key: string;
  readonly prefix: string;
}

/**
 * How many keys an account may have, as `countKeys` counts them. With any number of keys, an account could multiply its
 * limits. Operators can make more keys for it.
 */
const MAX_KEYS = LIMITS.keysOfAccount.max;

/**
 * Counts live keys, and those created today that are already revoked or expired, because they may have used today's
 * limits.
 */
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
  return { live, ended: Number(counts.total) - live };
}

function tooManyKeys(live: number, ended: number): ServiceError {
  const keys = live === 1 ? '1 live key' : `${live} live keys`;
  return new ServiceError(
    'invalidRequest',
    live >= MAX_KEYS
      ? `You have ${keys}, the most that an account may make. Revoke one, or ask the operator for more; ` +
          'a key of today (UTC) makes room tomorrow.'
      : `You have ${keys}, and ${ended} of those made today (UTC) are revoked or have ended; an account may ` +
          `have ${MAX_KEYS} of both. Try again tomorrow, or ask the operator for more.`,
  );
}

/**
 * Stores a new key without an audit entry, because connections and replacements record entries of their own. Throws a
 * ServiceError if the project was deleted or, unless `mayExceedMaximum` is set, if the account has the maximum of keys.
 * Concurrent calls cannot exceed the maximum.
 */
export async function addKey(
  { db, clock, randomBytes, keyPepper }: Omit<KeyContext, 'audit' | 'actor'>,
  newKey: NewKey,
): Promise<CreatedKey> {
  return inTransaction(db, async (transaction) => {
    if (newKey.mayExceedMaximum !== true) {
      await lockAccount(transaction, { id: newKey.accountId });
      const { live, ended } = await countKeys(transaction, newKey.accountId, clock());
      if (live + ended >= MAX_KEYS) throw tooManyKeys(live, ended);
    }
    if (!(await lockProject(transaction, { id: newKey.projectId })))
      throw new ServiceError('notFound', 'The project is deleted. Choose another for the key.');
    const key = generateApiKey(randomBytes);
    const prefix = prefixOf(key);
    const [row] = await transaction<ApiKeyRow>('api_keys')
      .insert({
        project_id: newKey.projectId,
        hash: hashApiKey(keyPepper, key),
        prefix,
        per_minute: limitToColumn(newKey.perMinute ?? 'default'),
        per_day: limitToColumn(newKey.perDay ?? 'default'),
        created_at: clock(),
        name: newKey.name ?? null,
        note: newKey.note ?? null,
        ends_at: newKey.endsAtMs ?? null,
        replaces_id: newKey.replacesId ?? null,
        permissions: newKey.permissions ?? null,
      })
      .returning('id');
    if (row === undefined) throw new Error('The database did not return the id of the key.');
    return { id: row.id, key, prefix };
  });
}

/** Creates a key for a project. Throws the ServiceErrors of `addKey`, and one if a detail is not valid. */
export async function createKey(context: KeyContext, newKey: NewKey): Promise<CreatedKey> {
  const { db, clock, audit, actor } = context;
  const checked = { ...newKey, ...checkKeyDetails(newKey, clock()) };
  return inTransaction(db, async (transaction) => {
    const created = await addKey({ ...context, db: transaction }, checked);
    await audit.record(transaction, actor, {
      kind: 'key.created',
      subjectId: newKey.accountId,
      detail: created.prefix,
    });
    return created;
  });
}
