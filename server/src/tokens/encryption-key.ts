import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';
import { requireCurrentKey } from '../secret/peppers.js';
import { seal, unseal } from '../secret/sealing.js';
import { lockInstallation } from '../storage/locks.js';
import type { EncryptionKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { newId } from './new-id.js';

/** The dependencies for making and using the keys that sign and encrypt. */
export interface KeyDeps {
  /** Encrypts the keys that sign and encrypt. */
  readonly keyEncryptionKey: KeyObject;
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
}

const KEY_BYTES = 32;

/** A key that encrypts refresh tokens, the secrets of second factors, and the requests of links to captures. */
interface EncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Makes an encryption key, and stores it sealed with `keyEncryptionKey`. Throws a ServiceError if the installation's
 * secret was replaced since this process read it. Call it in a transaction that holds the installation's lock.
 */
export async function addEncryptionKey(
  transaction: Database,
  { keyEncryptionKey, randomBytes, clock }: KeyDeps,
): Promise<EncryptionKey> {
  await requireCurrentKey(transaction, keyEncryptionKey);
  const id = newId(randomBytes, 'enc');
  const bytes = randomBytes(KEY_BYTES);
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

/** Returns the current encryption key, and creates it at first use. The transaction must hold the installation lock. */
async function currentEncryptionKey(transaction: Database, deps: KeyDeps): Promise<EncryptionKey> {
  const row: EncryptionKeyRow | undefined = await transaction<EncryptionKeyRow>('encryption_keys').first();
  return row === undefined
    ? addEncryptionKey(transaction, deps)
    : unwrapEncryptionKey(row, deps.keyEncryptionKey);
}

/** A secret as it is stored. `ciphertext` is what `seal` returned with `id` as `name`. */
export interface SealedSecret {
  readonly id: string;
  readonly ciphertext: string;
  readonly encryption_key_id: string;
}

/** Seals a secret with the current key. Call it in a transaction that holds the installation's lock. */
export async function sealSecret(
  transaction: Database,
  id: string,
  secret: Buffer,
  deps: KeyDeps,
): Promise<SealedSecret> {
  const { id: keyId, key } = await currentEncryptionKey(transaction, deps);
  return { id, ciphertext: seal(key, secret, id, deps.randomBytes), encryption_key_id: keyId };
}

/** The account's secret in `table`, decrypted; undefined if there is none. */
export async function unsealSecretOf(
  db: Database,
  table: 'refresh_tokens' | 'second_factors',
  accountId: string,
  { keyEncryptionKey }: Pick<KeyDeps, 'keyEncryptionKey'>,
): Promise<Buffer | undefined> {
  const [row] = await db(table)
    .join('encryption_keys', 'encryption_keys.id', `${table}.encryption_key_id`)
    .where(`${table}.account_id`, accountId)
    .select<(SealedSecret & Pick<EncryptionKeyRow, 'wrapped_key'>)[]>(
      `${table}.id`,
      `${table}.ciphertext`,
      `${table}.encryption_key_id`,
      'encryption_keys.wrapped_key',
    );
  if (row === undefined) return undefined;
  const wrapped = { id: row.encryption_key_id, wrapped_key: row.wrapped_key };
  return unseal(unwrapEncryptionKey(wrapped, keyEncryptionKey).key, row.ciphertext, row.id);
}

/** Seals the secrets of second factors in the same way as refresh tokens. */
export interface SecondFactorSealer {
  /** Seals a secret with a new id. Call this first in a transaction, because it takes the installation's lock. */
  seal(transaction: Database, secret: Buffer): Promise<SealedSecret>;
  unsealOf(db: Database, accountId: string): Promise<Buffer | undefined>;
}

export const createSecondFactorSealer = (deps: KeyDeps): SecondFactorSealer => ({
  async seal(transaction, secret) {
    await lockInstallation(transaction);
    return sealSecret(transaction, newId(deps.randomBytes, 'sec'), secret, deps);
  },
  unsealOf: (db, accountId) => unsealSecretOf(db, 'second_factors', accountId, deps),
});

/** Seals the requests of links to captures in the same way as refresh tokens. */
export interface LinkSealer {
  /** Call this first in a transaction, because it takes the installation's lock. */
  seal(transaction: Database, id: string, request: Buffer): Promise<SealedSecret>;
  unseal(db: Database, sealed: SealedSecret): Promise<Buffer>;
}

export const createLinkSealer = (deps: KeyDeps): LinkSealer => ({
  async seal(transaction, id, request) {
    await lockInstallation(transaction);
    return sealSecret(transaction, id, request, deps);
  },
  async unseal(db, { id, ciphertext, encryption_key_id: keyId }) {
    const row = await db<EncryptionKeyRow>('encryption_keys').where({ id: keyId }).first();
    if (row === undefined) throw new Error(`The link ${id} has no encryption key.`);
    return unseal(unwrapEncryptionKey(row, deps.keyEncryptionKey).key, ciphertext, id);
  },
});
