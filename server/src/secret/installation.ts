import { timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Clock } from '../clock.js';
import { ServiceError } from '../service-error.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { deriveKey } from './derive-key.js';

/** Whether the database was set up with a secret already. */
export async function hasInstallation(db: Database): Promise<boolean> {
  return (await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first()) !== undefined;
}

/**
 * Ties a new database to the secret, by a fingerprint that says nothing about it; throws a ServiceError where the
 * database is tied to another one. Safe when two servers start on a new database at once.
 */
export async function bindInstallation(db: Database, secret: KeyObject, clock: Clock): Promise<void> {
  const fingerprint = deriveKey(secret, 'installation-fingerprint').export();
  await db<InstallationRow>('installation')
    .insert({ id: INSTALLATION_ID, secret_fingerprint: fingerprint.toString('hex'), created_at: clock() })
    .onConflict('id')
    .ignore();
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first();
  const stored = Buffer.from(row?.secret_fingerprint ?? '', 'hex');
  if (stored.length === fingerprint.length && timingSafeEqual(stored, fingerprint)) return;
  throw new ServiceError(
    'internal',
    'The database was set up with another secret. Set SIGNPOST_SECRET to that one, or leave it unset and put back ' +
      'the file "secret" that was in the data folder.',
  );
}
