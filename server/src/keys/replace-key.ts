import { ServiceError } from '../platform/errors.js';
import { DAY_MS, HOUR_MS } from '../platform/time-units.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ConnectionRow } from '../storage/oauth-rows.js';
import { type ApiKeyRow, lockAccount } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { refuseDisabledByOperator } from './change-key.js';
import type { CappedKey, CreatedKey } from './create-key.js';
import type { Key } from './key.js';

/** How long the old key still works by default. */
export const DEFAULT_OVERLAP_MS = 24 * HOUR_MS;
const MAX_OVERLAP_MS = 365 * DAY_MS;

export interface Replacement {
  readonly old: Key;
  /** How long the old key still works, unless it expires sooner. */
  readonly overlapMs: number;
  /** Creates the new key. */
  readonly create: (transaction: Database, wanted: CappedKey) => Promise<CreatedKey>;
}

async function refuseConnection(transaction: Database, keyId: number): Promise<void> {
  const connection = await transaction<ConnectionRow>('oauth_connections').where({ key_id: keyId }).first();
  if (connection === undefined) return;
  throw new ServiceError(
    'invalidRequest',
    'This key belongs to a connected assistant, which cannot use another key. End the connection, then connect the assistant again.',
  );
}

/**
 * Limits that an operator raised for one key must not apply to several. Such a key can be replaced once a day, and has
 * one successor at a time.
 */
async function refuseFurtherAllowance(
  transaction: Database,
  { replacesId, perMinute, perDay, createdAtMs }: Key,
  nowMs: number,
): Promise<void> {
  if (replacesId === null || (perMinute === 'default' && perDay === 'default')) return;
  const isOfToday = createdAtMs >= nowMs - (nowMs % DAY_MS);
  const former = await transaction<ApiKeyRow>('api_keys')
    .where({ id: replacesId })
    .whereRaw(keyIsLive('api_keys'), [nowMs])
    .first('id');
  if (!isOfToday && former === undefined) return;
  throw new ServiceError(
    'invalidRequest',
    'This key replaced another key today, or one that still works. Revoke the old key, and replace this one tomorrow (UTC).',
  );
}

/**
 * Creates a key with the name, note, limits and project of an active one, which expires after the overlap. In a
 * transaction. Throws a ServiceError if the old key is revoked, expired or replaced already.
 */
export async function replaceKey(
  transaction: Database,
  { old, overlapMs, create }: Replacement,
  nowMs: number,
): Promise<CreatedKey> {
  if (!(overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS))
    throw new ServiceError(
      'invalidRequest',
      'The old key can keep working for at most 365 days. Give a shorter time.',
    );
  await lockAccount(transaction, { id: old.accountId });
  await refuseConnection(transaction, old.id);
  await refuseDisabledByOperator(transaction, old.id);
  await refuseFurtherAllowance(transaction, old, nowMs);
  const { id, accountId, projectId, name, note, perMinute, perDay } = old;
  const endsAtMs = nowMs + overlapMs;
  const created = await create(transaction, {
    ...{ accountId, projectId, name, note, perMinute, perDay },
    replacesId: id,
  });
  const ended = await transaction<ApiKeyRow>('api_keys')
    .where({ id })
    .whereRaw(keyIsLive('api_keys'), [nowMs])
    .whereNotExists(
      transaction('api_keys as other').where({ 'other.replaces_id': id }).whereNot('other.id', created.id),
    )
    .update({
      ends_at: transaction.raw('CASE WHEN ends_at < ? THEN ends_at ELSE ? END', [endsAtMs, endsAtMs]),
    });
  if (ended > 0) return created;
  throw new ServiceError(
    'invalidRequest',
    'The key is revoked, has ended, or is already replaced. Replace the newer key, or make another key.',
  );
}
