import { ServiceError } from '../platform/errors.js';
import { DAY_MS, HOUR_MS } from '../platform/time-units.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ConnectionRow } from '../storage/oauth-rows.js';
import { lockAccount } from '../storage/locks.js';
import type { ApiKeyRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import { rejectDisabledByOperator } from './change-key.js';
import { addKey, type CreatedKey, type KeyContext, type NewKey } from './create-key.js';
import type { Key } from './key.js';

/** How long the old key still works by default. */
export const DEFAULT_OVERLAP_MS = 24 * HOUR_MS;
const MAX_OVERLAP_MS = 365 * DAY_MS;

interface Replacement extends Pick<NewKey, 'mayExceedMaximum'> {
  /** How long the old key still works unless it expires sooner: at most 365 days. */
  readonly overlapMs: number;
}

async function rejectConnection(transaction: Database, keyId: number): Promise<void> {
  const connection = await transaction<ConnectionRow>('oauth_connections').where({ key_id: keyId }).first();
  if (connection === undefined) return;
  throw new ServiceError(
    'invalidRequest',
    'This key belongs to a connected assistant, which cannot use another key. End the connection, then connect the assistant again.',
  );
}

/**
 * Rejects a replacement that would multiply limits which were set for one key. If a key has limits of its own and
 * replaced another key, it can be replaced only if it was not made today (UTC) and the key that it replaced is revoked
 * or expired.
 */
async function rejectFurtherAllowance(
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
 * Replaces a live key: creates one with its name, note, limits, permissions and project, but without an end date. The
 * old key expires after the overlap, or sooner if its end date is earlier. Throws the ServiceErrors of `addKey`, and
 * one if the overlap is not valid, if the old key is revoked, expired, already replaced, disabled by an operator, or a
 * connected assistant's, or if the replacement would multiply limits that were set for one key.
 */
export async function replaceKey(
  context: KeyContext,
  old: Key,
  { overlapMs, mayExceedMaximum }: Replacement,
): Promise<CreatedKey> {
  const { db, clock, audit, actor } = context;
  if (!(overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS))
    throw new ServiceError(
      'invalidRequest',
      'The old key can keep working for at most 365 days. Give a shorter time.',
    );
  const { id, accountId, projectId, name, note, perMinute, perDay, permissions } = old;
  const nowMs = clock();
  const endsAtMs = nowMs + overlapMs;
  return inTransaction(db, async (transaction) => {
    await lockAccount(transaction, { id: accountId });
    await rejectConnection(transaction, id);
    await rejectDisabledByOperator(transaction, id);
    await rejectFurtherAllowance(transaction, old, nowMs);
    const like = { accountId, projectId, name, note, perMinute, perDay, permissions };
    const created = await addKey(
      { ...context, db: transaction },
      { ...like, replacesId: id, mayExceedMaximum },
    );
    const replaced = await transaction<ApiKeyRow>('api_keys')
      .where({ id })
      .whereRaw(keyIsLive('api_keys'), [nowMs])
      .whereNotExists(
        transaction('api_keys as other').where({ 'other.replaces_id': id }).whereNot('other.id', created.id),
      )
      .update({
        ends_at: transaction.raw('CASE WHEN ends_at < ? THEN ends_at ELSE ? END', [endsAtMs, endsAtMs]),
      });
    if (replaced === 0)
      throw new ServiceError(
        'invalidRequest',
        'The key is revoked, has ended, or is already replaced. Replace the newer key, or make another key.',
      );
    await audit.record(transaction, actor, {
      kind: 'key.replaced',
      subjectId: accountId,
      detail: `${old.prefix}, by ${created.prefix}`,
    });
    return created;
  });
}
