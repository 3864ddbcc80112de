import { timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { deriveKey } from './sealing.js';

/** What a database keeps of the secret that it belongs to; it says nothing about the secret. */
export const secretFingerprint = (secret: KeyObject): string =>
  deriveKey(secret, 'installation-fingerprint').export().toString('hex');

const isFingerprint = (fingerprint: string, stored: string) => {
  const [one, other] = [Buffer.from(fingerprint, 'hex'), Buffer.from(stored, 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** The fingerprint of the secret that the database was set up with; undefined where it was with none yet. */
export async function readFingerprint(db: Database): Promise<string | undefined> {
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first();
  return row?.secret_fingerprint;
}

/**
 * Ties a new database to the secret, by a fingerprint that says nothing about it; throws a ServiceError where the
 * database is tied to another one. Safe when two servers start on a new database at once.
 */
export async function bindInstallation(db: Database, secret: KeyObject, clock: Clock): Promise<void> {
  const fingerprint = secretFingerprint(secret);
  await db<InstallationRow>('installation')
    .insert({ id: INSTALLATION_ID, secret_fingerprint: fingerprint, created_at: clock() })
    .onConflict('id')
    .ignore();
  const row = await db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first();
  if (isFingerprint(fingerprint, row?.secret_fingerprint ?? '')) return;
  throw new ServiceError(
    'internal',
    'The database was set up with another secret. Set SIGNPOST_SECRET to that one, or SIGNPOST_SECRET_FILE to a file ' +
      'that holds it, or leave both unset and put back the file "secret" that was in the data folder.',
  );
}
