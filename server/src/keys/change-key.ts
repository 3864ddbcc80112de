import type { DomainContext } from '../audit/domain-context.js';
import { checkDisplayName } from '../platform/display-name.js';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ApiKeyRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import type { DisabledBy, OwnedKey } from './key.js';

const liveKey = (db: Database, keyId: number, nowMs: number) =>
  db<ApiKeyRow>('api_keys').where({ id: keyId }).whereRaw(keyIsLive('api_keys'), [nowMs]);

const keyNotLive = () =>
  new ServiceError('invalidRequest', 'The key is revoked or has ended. Make a new key instead.');

/** The details of a key that its owner may change. Null removes a value; undefined leaves it as it is. */
export interface KeyDetails {
  readonly name?: string | null | undefined;
  readonly note?: string | null | undefined;
  /** When the key expires, in milliseconds since 1970. */
  readonly endsAtMs?: number | null | undefined;
}

const MAX_NOTE_CHARACTERS = 500;
/**
 * What a note must not contain: control characters other than line feeds, and characters that change the direction of
 * text.
 */
const CONTROLS = /[^\P{Cc}\n]|\p{Bidi_Control}/u;

function checkNote(text: string): string {
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

/** Some programs cannot read a year of five digits. */
const MAX_TIME_MS = Date.UTC(9999, 0, 1);

/**
 * Returns the details with name and note trimmed and normalized; blank ones become null. A note may have several
 * lines. Throws a ServiceError if a detail is not valid.
 */
export function checkKeyDetails({ name, note, endsAtMs }: KeyDetails, nowMs: number): KeyDetails {
  if (endsAtMs !== undefined && endsAtMs !== null && !(endsAtMs > nowMs && endsAtMs <= MAX_TIME_MS))
    throw new ServiceError(
      'invalidRequest',
      'The end of a key must be in the future, before the year 9999. Give another time, or revoke the key to end it now.',
    );
  return {
    name: name?.trim() === '' ? null : name && checkDisplayName("The key's name", name),
    note: note?.trim() === '' ? null : note && checkNote(note),
    endsAtMs,
  };
}

/**
 * Changes details of a live key. An end date takes effect with the key's next request. Throws a ServiceError if a
 * detail is not valid, if the key is revoked or expired, or if it was replaced and would then end later.
 */
export async function changeKey(
  { db, clock, audit, actor }: DomainContext,
  { id, prefix, accountId }: OwnedKey,
  changes: KeyDetails,
): Promise<void> {
  const nowMs = clock();
  const { name, note, endsAtMs } = checkKeyDetails(changes, nowMs);
  await inTransaction(db, async (transaction) => {
    if (endsAtMs !== undefined) {
      // A replaced key keeps its end date or gets an earlier one. Otherwise both keys would go on working, each with
      // its own limits.
      const replaced = await transaction<ApiKeyRow>('api_keys')
        .where({ id })
        .whereExists(transaction('api_keys as other').where({ 'other.replaces_id': id }))
        .first('ends_at');
      const latestMs = replaced?.ends_at ?? null;
      if (latestMs !== null && (endsAtMs === null || endsAtMs > latestMs))
        throw new ServiceError(
          'invalidRequest',
          'This key was replaced by another one, so it can only end earlier. Give an earlier time.',
        );
    }
    const changed = await liveKey(transaction, id, nowMs).update({
      id,
      ...(name === undefined ? {} : { name }),
      ...(note === undefined ? {} : { note }),
      ...(endsAtMs === undefined ? {} : { ends_at: endsAtMs }),
    });
    if (changed === 0) throw keyNotLive();
    const end = endsAtMs === null ? 'never' : endsAtMs && new Date(endsAtMs).toISOString();
    // The audit entry leaves out the name and the note, because they are private to the owner.
    const detail = end === undefined ? prefix : `${prefix}, ends ${end}`;
    await audit.record(transaction, actor, { kind: 'key.changed', subjectId: accountId, detail });
  });
}

/** Changes the given limits of a key and leaves the others. Takes effect with the key's next request. */
export async function setKeyLimits(
  { db, audit, actor }: DomainContext,
  { id, prefix, accountId }: OwnedKey,
  { perMinute, perDay }: { readonly perMinute?: Limit | undefined; readonly perDay?: Limit | undefined },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await transaction<ApiKeyRow>('api_keys')
      .where({ id })
      .update({
        ...(perMinute === undefined ? {} : { per_minute: limitToColumn(perMinute) }),
        ...(perDay === undefined ? {} : { per_day: limitToColumn(perDay) }),
      });
    const detail = `${prefix} ${JSON.stringify({ perMinute, perDay })}`;
    await audit.record(transaction, actor, { kind: 'key.limited', subjectId: accountId, detail });
  });
}

/**
 * Disables a live key from its next request on, until it is enabled. If the key is already disabled, keeps the time.
 * Once an operator has disabled it, only operators can enable it. Throws a ServiceError if the key is revoked or
 * expired.
 */
export async function disableKey(
  { db, clock, audit, actor }: DomainContext,
  { id, prefix: detail, accountId: subjectId }: OwnedKey,
  by: DisabledBy,
): Promise<void> {
  const nowMs = clock();
  await inTransaction(db, async (transaction) => {
    const disabled = await liveKey(transaction, id, nowMs).update({
      disabled_at: transaction.raw('COALESCE(disabled_at, ?)', [nowMs]),
      ...(by === 'operator' ? { disabled_by_operator: true } : {}),
    });
    if (disabled === 0) throw keyNotLive();
    await audit.record(transaction, actor, { kind: 'key.disabled', subjectId, detail });
  });
}

/** Throws a ServiceError if an operator disabled the key. Its owner can neither enable nor replace it then. */
export async function rejectDisabledByOperator(db: Database, keyId: number): Promise<void> {
  const disabled = await db<ApiKeyRow>('api_keys')
    .where({ id: keyId, disabled_by_operator: true })
    .first('id');
  if (disabled === undefined) return;
  throw new ServiceError(
    'invalidRequest',
    'The operator of this server disabled the key, and only the operator can enable it. Ask the operator.',
  );
}

/**
 * Enables a disabled key. Only operators can enable one that an operator disabled. Throws a ServiceError if the caller
 * cannot, or if the key is revoked or expired.
 */
export async function enableKey(
  { db, clock, audit, actor }: DomainContext,
  { id, prefix: detail, accountId: subjectId }: OwnedKey,
  by: DisabledBy,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const key = liveKey(transaction, id, clock());
    if (by === 'owner') void key.where({ disabled_by_operator: false });
    const enabled = await key.update({ disabled_at: null, disabled_by_operator: false });
    if (enabled === 0) {
      await rejectDisabledByOperator(transaction, id);
      throw keyNotLive();
    }
    await audit.record(transaction, actor, { kind: 'key.enabled', subjectId, detail });
  });
}
