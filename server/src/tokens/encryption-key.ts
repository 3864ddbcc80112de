import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { requireCurrentKey } from '../secret/peppers.js';
import { seal, unseal } from '../secret/sealing.js';
import type { EncryptionKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** What it takes to make the keys that sign and encrypt, and to use those that are stored. */
export interface KeyDeps {
  /** Under which all of them are encrypted. */
  readonly keyEncryptionKey: KeyObject;
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
}

const idLength = 20;

/** A new identifier; what it begins with says what it is for. */
export const newId = (randomBytes: RandomBytes, start: 'sig' | 'enc' | 'ref' | 'ret'): string =>
  `${start}_${randomCharacters(randomBytes, BASE62, idLength)}`;

const keyBytes = 32;

/** The key that encrypts refresh tokens. */
interface EncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Makes a new key and stores it, wrapped under its id; in a transaction that holds the installation's lock. */
export async function addEncryptionKey(
  transaction: Database,
  { keyEncryptionKey, randomBytes, clock }: KeyDeps,
): Promise<EncryptionKey> {
  await requireCurrentKey(transaction, keyEncryptionKey);
  const id = newId(randomBytes, 'enc');
  const bytes = randomBytes(keyBytes);
  await transaction<EncryptionKeyRow>('encryption_keys').insert({
    id,
    wrapped_key: seal(keyEncryptionKey, bytes, id, randomBytes),
    created_at: clock(),
  });
  return { id, key: createSecretKey(bytes) };
}

export const unwrapEncryptionKey = (
  { id, wrapped_key: wrapped }: Pick<EncryptionKeyRow, 'id' | 'wrapped_key'>,
  keyEncryptionKey: KeyObject,
): EncryptionKey => ({ id, key: createSecretKey(unseal(keyEncryptionKey, wrapped, id)) });

/** The key that encrypts now, made where there is none; in a transaction that holds the installation's lock. */
export async function currentEncryptionKey(transaction: Database, deps: KeyDeps): Promise<EncryptionKey> {
  const row: EncryptionKeyRow | undefined = await transaction<EncryptionKeyRow>('encryption_keys').first();
  return row === undefined
    ? addEncryptionKey(transaction, deps)
    : unwrapEncryptionKey(row, deps.keyEncryptionKey);
}
