import type { KeyObject } from 'node:crypto';
import { access } from 'node:fs/promises';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { secretFingerprint, shownFingerprint } from '../secret/installation.js';
import { type ConfiguredSecret, loadSecret, secretVariable } from '../secret/load-secret.js';
import { type DatabaseLocation, openStorage, storageProblem } from '../storage/open-storage.js';
import { keptSecretFile, secretFileIn } from '../secret/secret-file.js';
import { serverLockIn, sqliteFileIn } from '../storage/sqlite/database-file.js';
import { DataFolderInUse, takeServerLock, type ServerLock } from '../storage/sqlite/server-lock.js';
import type { Storage } from '../storage/storage.js';

/** The location and the secret of an installation, as configured. */
export interface InstallationLocation {
  readonly dataDir: string;
  /** The PostgreSQL database; undefined for SQLite in the data folder. */
  readonly databaseUrl: string | undefined;
  /** The secret as configured; undefined for the one in the data folder. */
  readonly secret: ConfiguredSecret | undefined;
}

export const sqliteFileOf = ({ dataDir }: Pick<InstallationLocation, 'dataDir'>): string =>
  sqliteFileIn(dataDir);

export const databaseOf = (location: InstallationLocation): DatabaseLocation =>
  location.databaseUrl === undefined ? { file: sqliteFileOf(location) } : { url: location.databaseUrl };

export const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Opens a database, runs the work and closes it. Errors about the database say what to do. */
export async function withDatabase<Result>(
  database: DatabaseLocation,
  work: (storage: Storage) => Promise<Result>,
  { mustExist = false } = {},
): Promise<Result> {
  const storage = await openStorage({ ...database, mustExist });
  try {
    return await work(storage);
  } catch (error) {
    throw storageProblem(database, error);
  } finally {
    await storage.close();
  }
}

/**
 * Takes the lock of the SQLite database in a data folder, so that no server starts on it until the lock is released.
 * Throws a ServiceError if the lock cannot be taken, as while a server runs.
 */
export async function keepServersOut({ dataDir }: InstallationLocation, reason: string): Promise<ServerLock> {
  try {
    return await takeServerLock(serverLockIn(dataDir));
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    throw new ServiceError(
      'invalidRequest',
      `A server runs on the data folder ${dataDir}. Stop it first: ${reason}.`,
      { cause: error },
    );
  }
}

async function keptSecretNote(path: string, fingerprint: string): Promise<string> {
  const keptFile = keptSecretFile(path, fingerprint);
  return (await fileExists(keptFile))
    ? ` It is kept in ${keptFile}: set SIGNPOST_SECRET_FILE to that file.`
    : '';
}

/**
 * Returns the secret of this installation. Throws a ServiceError if it is missing, or if the backup was made with
 * another secret. Never creates a secret.
 */
export async function requireBackupSecret(
  location: InstallationLocation,
  fingerprint: string,
  randomBytes: RandomBytes,
): Promise<KeyObject> {
  const path = secretFileIn(location.dataDir);
  if (location.secret === undefined && !(await fileExists(path))) {
    throw new ServiceError(
      'invalidRequest',
      `The secret that the backup belongs to is missing. Put the file "secret" that was kept apart from the backup at ` +
        `${path}, or set SIGNPOST_SECRET or SIGNPOST_SECRET_FILE as it was configured. Nothing was changed.`,
    );
  }
  const { secret } = await loadSecret({
    configured: location.secret,
    dataDir: location.dataDir,
    fingerprint,
    randomBytes,
  });
  if (secretFingerprint(secret) === fingerprint) return secret;
  const where = location.secret === undefined ? `the file ${path}` : secretVariable(location.secret);
  throw new ServiceError(
    'invalidRequest',
    `The backup belongs to another secret than the one in ${where}: to that whose fingerprint begins with ` +
      `${shownFingerprint(fingerprint)}, and not with ${shownFingerprint(secretFingerprint(secret))}. Restore it with the ` +
      'secret that the backed up installation had then (if "signpost secret replace" ran since, the secret before it), ' +
      `into an empty data folder or an empty database.${await keptSecretNote(path, fingerprint)} Nothing was changed.`,
  );
}
