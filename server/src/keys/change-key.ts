import { ServiceError } from '../platform/errors.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ApiKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { DisabledBy } from './key.js';

const live = (db: Database, keyId: number, nowMs: number) =>
  db<ApiKeyRow>('api_keys').where({ id: keyId }).whereRaw(keyIsLive('api_keys'), [nowMs]);

const refuseUnlessChanged = (changed: number) => {
  if (changed === 0)
    throw new ServiceError('invalidRequest', 'The key is revoked or has ended. Make a new key instead.');
};

/** Revokes a key for good: all servers reject its next request. Keeps the time of an earlier revocation. */
export async function revokeKey(db: Database, keyId: number, nowMs: number): Promise<void> {
  await live(db, keyId, nowMs).update({ revoked_at: nowMs });
}

export interface NewLimits {
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
}

/** Changes the given limits of a key and leaves the others. Takes effect with the key's next request. */
export async function setLimits(
  db: Database,
  keyId: number,
  { perMinute, perDay }: NewLimits,
): Promise<void> {
  await db<ApiKeyRow>('api_keys')
    .where({ id: keyId })
    .update({
      ...(perMinute === undefined ? {} : { per_minute: limitToColumn(perMinute) }),
      ...(perDay === undefined ? {} : { per_day: limitToColumn(perDay) }),
    });
}

const MAX_NOTE_CHARACTERS = 500;
/** Control characters except line breaks, and characters that change the direction of text. */
const CONTROLS = /[^\P{Cc}\n]|\p{Bidi_Control}/u;

/** Returns a note trimmed and normalized. It may have several lines. */
export function checkNote(text: string): string {
  const note = text.trim().replaceAll(/\r\n?/gu, '\n').normalize('NFC');
  if ([...note].length > MAX_NOTE_CHARACTERS)
    throw new ServiceError('invalidRequest', `A note has at most ${MAX_NOTE_CHARACTERS} characters.`);
  if (CONTROLS.test(note))
    throw new ServiceError(
      'invalidRequest',
      'A note must not have control characters other than line breaks.',
    );
  return note;
}

/** Years with more digits are too long for some programs. */
const MAX_TIME_MS = Date.UTC(9999, 0, 1);

/** Throws a ServiceError if a key cannot expire at that time. */
export function checkEnd(endsAtMs: number, nowMs: number): void {
  if (endsAtMs > nowMs && endsAtMs <= MAX_TIME_MS) return;
  throw new ServiceError(
    'invalidRequest',
    'The end of a key must be in the future, before the year 9999. Give another time, or revoke the key to end it now.',
  );
}

/** The changes to a key. Null removes a value. */
export interface KeyDetails {
  readonly name?: string | null | undefined;
  readonly note?: string | null | undefined;
  readonly endsAtMs?: number | null | undefined;
}

/**
 * A replaced key keeps its end date or gets an earlier one. Otherwise both keys would go on working, each with its own
 * limits.
 */
async function refuseLaterEnd(db: Database, keyId: number, endsAtMs: number | null): Promise<void> {
  const replaced = await db<ApiKeyRow>('api_keys')
    .where({ id: keyId })
    .whereExists(db('api_keys as other').where({ 'other.replaces_id': keyId }))
    .first('ends_at');
  const end = replaced?.ends_at ?? null;
  if (end === null || (endsAtMs !== null && endsAtMs <= end)) return;
  throw new ServiceError(
    'invalidRequest',
    'This key was replaced by another one, so it can only end earlier. Give an earlier time.',
  );
}

/**
 * Changes the given details of an active key and leaves the others. An end date takes effect with the key's next
 * request.
 */
export async function changeKey(
  db: Database,
  keyId: number,
  { name, note, endsAtMs }: KeyDetails,
  nowMs: number,
): Promise<void> {
  if (endsAtMs !== undefined) await refuseLaterEnd(db, keyId, endsAtMs);
  const changed = await live(db, keyId, nowMs).update({
    id: keyId,
    ...(name === undefined ? {} : { name }),
    ...(note === undefined ? {} : { note }),
    ...(endsAtMs === undefined ? {} : { ends_at: endsAtMs }),
  });
  refuseUnlessChanged(changed);
}

/**
 * Disables an active key from its next request on, until it is enabled. Keeps the time of an earlier disabling, and
 * who did it if it was an operator.
 */
export async function disableKey(db: Database, keyId: number, by: DisabledBy, nowMs: number): Promise<void> {
  const disabled = {
    disabled_at: db.raw('COALESCE(disabled_at, ?)', [nowMs]),
    ...(by === 'operator' ? { disabled_by_operator: true } : {}),
  };
  refuseUnlessChanged(await live(db, keyId, nowMs).update(disabled));
}

/** Throws a ServiceError if an operator disabled the key. Its owner cannot change it until it is enabled. */
export async function refuseDisabledByOperator(db: Database, keyId: number): Promise<void> {
  const disabled = await db<ApiKeyRow>('api_keys')
    .where({ id: keyId, disabled_by_operator: true })
    .first('id');
  if (disabled === undefined) return;
  throw new ServiceError(
    'invalidRequest',
    'The operator of this server disabled the key, and alone can enable it. Ask the operator.',
  );
}

/** Enables a disabled key. Only operators can enable one that an operator disabled. */
export async function enableKey(db: Database, keyId: number, by: DisabledBy, nowMs: number): Promise<void> {
  const key = live(db, keyId, nowMs);
  if (by === 'owner') void key.where({ disabled_by_operator: false });
  const enabled = await key.update({ disabled_at: null, disabled_by_operator: false });
  if (enabled === 0) await refuseDisabledByOperator(db, keyId);
  refuseUnlessChanged(enabled);
}
