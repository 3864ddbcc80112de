import { timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { INSTALLATION_ID, type InstallationRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { keyEncryptionKeyOf, pepperOf, sealPeppers } from './peppers.js';
import { deriveKey } from './sealing.js';

/** Returns a secret's fingerprint in hexadecimal digits. It ties a database to the secret, but does not reveal it. */
export const secretFingerprint = (secret: KeyObject): string =>
  deriveKey(secret, 'installation-fingerprint').export().toString('hex');

const SHOWN_DIGITS = 8;

/** The start of a fingerprint, long enough to tell apart the secrets of one installation. */
export const shownFingerprint = (fingerprint: string): string => fingerprint.slice(0, SHOWN_DIGITS);

const isFingerprint = (fingerprint: string, stored: string) => {
  const [one, other] = [Buffer.from(fingerprint, 'hex'), Buffer.from(stored, 'hex')];
  return one.length === other.length && timingSafeEqual(one, other);
};

const readInstallation = (db: Database): Promise<InstallationRow | undefined> =>
  db<InstallationRow>('installation').where({ id: INSTALLATION_ID }).first();

/** The fingerprint of the database's secret; undefined if the database is not set up yet. */
export const readFingerprint = async (db: Database): Promise<string | undefined> =>
  (await readInstallation(db))?.secret_fingerprint;

/**
 * The installation row of a database. Throws a ServiceError if the database is tied to another secret, or to none yet.
 */
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
  /** Hashes API keys. */
  readonly keyPepper: KeyObject;
  /** Hashes refresh tokens. */
  readonly refreshTokenPepper: KeyObject;
  /** Encrypts the stored peppers and the stored keys for signing and encryption. */
  readonly keyEncryptionKey: KeyObject;
  /** Makes the tokens of the console's forms. */
  readonly formKey: KeyObject;
}

interface BindingDeps {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

/**
 * Ties a new database to the secret by storing a fingerprint, stores the sealed peppers if the database has none, and
 * returns the keys that belong to database and secret. Throws a ServiceError if the database is tied to another secret
 * or a pepper cannot be opened. Safe if two servers start on a new database at once.
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
