import type { KeyObject } from 'node:crypto';
import type { RandomBytes } from '../platform/random.js';
import { lockInstallation } from '../storage/locks.js';
import {
  type EncryptionKeyRow,
  INSTALLATION_ID,
  type InstallationRow,
  type SigningKeyRow,
} from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { requireSecret, secretFingerprint } from './installation.js';
import { keyEncryptionKeyOf, sealPeppers } from './peppers.js';
import { seal, unseal } from './sealing.js';

/**
 * Moves a database from the secret `from` to the secret `to`: seals the peppers and the keys for signing and encryption
 * again, unchanged, with a key derived from `to`. Throws a ServiceError if the database does not belong to `from`, or
 * if a pepper or key cannot be opened. Call it in a transaction.
 */
export async function resealInstallation(
  transaction: Database,
  from: KeyObject,
  to: KeyObject,
  randomBytes: RandomBytes,
): Promise<void> {
  const [oldKey, newKey] = [keyEncryptionKeyOf(from), keyEncryptionKeyOf(to)];
  const resealed = (sealed: string, name: string) =>
    seal(newKey, unseal(oldKey, sealed, name), name, randomBytes);

  await lockInstallation(transaction);
  const row = await requireSecret(transaction, from);
  const signingKeys: SigningKeyRow[] = await transaction<SigningKeyRow>('signing_keys');
  for (const { id, private_key: sealed } of signingKeys) {
    await transaction<SigningKeyRow>('signing_keys')
      .where({ id })
      .update({ private_key: resealed(sealed, id) });
  }
  const encryptionKeys: EncryptionKeyRow[] = await transaction<EncryptionKeyRow>('encryption_keys');
  for (const { id, wrapped_key: sealed } of encryptionKeys) {
    await transaction<EncryptionKeyRow>('encryption_keys')
      .where({ id })
      .update({ wrapped_key: resealed(sealed, id) });
  }
  await transaction<InstallationRow>('installation')
    .where({ id: INSTALLATION_ID })
    .update({ secret_fingerprint: secretFingerprint(to), ...sealPeppers(row, from, to, randomBytes) });
}
