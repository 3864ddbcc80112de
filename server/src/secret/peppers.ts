import { createSecretKey, type KeyObject } from 'node:crypto';
import type { RandomBytes } from '../platform/random.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { deriveKey, seal, unseal } from './sealing.js';

/**
 * The columns of the peppers (the keys that hash API keys and refresh tokens), and the purpose for which each pepper is
 * first derived from the secret. With other peppers, no stored hash would match.
 */
const PEPPERS = { key_pepper: 'key-pepper', refresh_token_pepper: 'refresh-token-pepper' } as const;

type PepperColumn = keyof typeof PEPPERS;
type StoredPeppers = Pick<InstallationRow, PepperColumn>;

export const keyEncryptionKeyOf = (secret: KeyObject): KeyObject => deriveKey(secret, 'key-encryption');

/**
 * The pepper of a database with this secret. If the database does not store it yet, it is derived from the secret.
 * Throws a ServiceError if the stored pepper was changed or was sealed with another secret.
 */
export function pepperOf(row: StoredPeppers, column: PepperColumn, secret: KeyObject): KeyObject {
  const sealed = row[column];
  if (sealed === null) return deriveKey(secret, PEPPERS[column]);
  return createSecretKey(unseal(keyEncryptionKeyOf(secret), sealed, column));
}

/** Returns a database's peppers, sealed with the secret `to`. So far they are sealed with or derived from `secret`. */
export function sealPeppers(
  row: StoredPeppers,
  secret: KeyObject,
  to: KeyObject,
  randomBytes: RandomBytes,
): StoredPeppers {
  const sealUnder = (column: PepperColumn) =>
    seal(keyEncryptionKeyOf(to), pepperOf(row, column, secret).export(), column, randomBytes);
  return { key_pepper: sealUnder('key_pepper'), refresh_token_pepper: sealUnder('refresh_token_pepper') };
}

/**
 * Throws a ServiceError if the database's secret was replaced since `keyEncryptionKey` was derived from it: nothing may
 * be sealed with the old key. Call it in a transaction that holds the installation's lock.
 */
export async function requireCurrentKey(transaction: Database, keyEncryptionKey: KeyObject): Promise<void> {
  const row = await transaction<InstallationRow>('installation')
    .where({ id: INSTALLATION_ID })
    .first('key_pepper');
  const sealed = row?.key_pepper ?? null;
  if (sealed !== null) unseal(keyEncryptionKey, sealed, 'key_pepper');
}
