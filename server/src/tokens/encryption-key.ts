import { createSecretKey, type KeyObject } from 'node:crypto';
import { seal, unseal } from '../secret/sealed-secret.js';
import type { EncryptionKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { newId, type KeyMaker } from './key-maker.js';

const keyBytes = 32;

/** The key that encrypts refresh tokens. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Makes a new key and stores it, wrapped under its id. */
export async function addEncryptionKey(
  db: Database,
  { keyEncryptionKey, randomBytes, clock }: KeyMaker,
): Promise<EncryptionKey> {
  const id = newId(randomBytes, 'enc');
  const bytes = randomBytes(keyBytes);
  await db<EncryptionKeyRow>('encryption_keys').insert({
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
export async function currentEncryptionKey(transaction: Database, maker: KeyMaker): Promise<EncryptionKey> {
  const row: EncryptionKeyRow | undefined = await transaction<EncryptionKeyRow>('encryption_keys').first();
  return row === undefined
    ? addEncryptionKey(transaction, maker)
    : unwrapEncryptionKey(row, maker.keyEncryptionKey);
}
