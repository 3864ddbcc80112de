import { timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { keyEncryptionKeyOf, pepperOf, sealPeppers } from './peppers.js';
import { deriveKey } from './sealing.js';

/** What a database keeps of the secret that it belongs to; it says nothing about the secret. */
export const secretFingerprint = (secret: KeyObject): string =>
  deriveKey(secret, 'installation-fingerprint').export().toString('hex');

const SHOWN_DIGITS = 8;

/** As much of a fingerprint as tells the secrets of one installation apart. */
export const shownFingerprint = (fingerprint: string): string => fingerprint.slice(0, SHOWN_DIGITS);

const isFingerprint = (fingerprint: string, stored: string) => {
  const [one, other] = [Buffer.from(fingerprint, 'hex'), Buffer.from(stored, 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
};

const readInstallation = (db: Database): Promise<InstallationRow | undefined> =>
  db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first();

/** The fingerprint of the secret that the database was set up with; undefined where it was with none yet. */
export const readFingerprint = async (db: Database): Promise<string | undefined> =>
  (await readInstallation(db))?.secret_fingerprint;

/** The row of a database that is tied to the secret; throws a ServiceError where it is tied to another one. */
export async function requireSecret(db: Database, secret: KeyObject): Promise<InstallationRow> {
  const fingerprint = secretFingerprint(secret);
  const row = await readInstallation(db);
  if (row !== undefined && isFingerprint(fingerprint, row.secret_fingerprint)) return row;
  throw new ServiceError(
    'internal',
    'The database was set up with another secret. Set SIGNPOST_SECRET to that secret, or SIGNPOST_SECRET_FILE to a file that holds it, or leave both unset and put back the file "secret" that was in the data folder. If "signpost secret replace" was run, use the new secret. The fingerprint of the right secret begins with ' +
      `${shownFingerprint(row?.secret_fingerprint ?? '')}, that of the secret given with ${shownFingerprint(fingerprint)}.`,
  );
}

/** The keys that belong to a database. */
export interface InstallationKeys {
  /** The key under which API keys are hashed. */
  readonly keyPepper: KeyObject;
  /** The key under which refresh tokens are hashed. */
  readonly refreshTokenPepper: KeyObject;
  /** The key under which the stored keys for signing and encryption are encrypted. */
  readonly keyEncryptionKey: KeyObject;
  /** The key under which the tokens of the console's forms are made. */
  readonly formKey: KeyObject;
}

interface BindingDeps {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

/**
 * Ties a new database to the secret, by a fingerprint that says nothing about it, and answers the keys that belong to
 * both; throws a ServiceError where the database is tied to another one. Safe when two servers start on a new database
 * at once.
 */
export async function bindInstallation(
  db: Database,
  secret: KeyObject,
  { clock, randomBytes }: BindingDeps,
): Promise<InstallationKeys> {
  const installation = () => db<InstallationRow>('installation');
  await installation()
    .insert({ id: INSTALLATION_ID, secret_fingerprint: secretFingerprint(secret), created_at: clock() })
    .onConflict('id')
    .ignore();
  const row = await requireSecret(db, secret);
  if (row.key_pepper === null) {
    await installation()
      .where({ id: INSTALLATION_ID, secret_fingerprint: row.secret_fingerprint, key_pepper: null })
      .update(sealPeppers(row, secret, secret, randomBytes));
  }
  return {
    keyPepper: pepperOf(row, 'key_pepper', secret),
    refreshTokenPepper: pepperOf(row, 'refresh_token_pepper', secret),
    keyEncryptionKey: keyEncryptionKeyOf(secret),
    formKey: deriveKey(secret, 'form-tokens'),
  };
}
