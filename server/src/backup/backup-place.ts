import type { KeyObject } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../platform/errors.js';
import type { RandomBytes } from '../platform/random.js';
import { secretFingerprint } from '../secret/installation.js';
import { type ConfiguredSecret, loadSecret, secretVariable } from '../secret/load-secret.js';
import { type DatabasePlace, openStorage, storageProblem } from '../storage/open-storage.js';
import { sqliteFileIn } from '../storage/sqlite/database-file.js';
import type { Storage } from '../storage/storage.js';

/** Where an installation is, as it is configured. */
export interface BackupPlace {
  readonly dataDir: string;
  /** The PostgreSQL that holds the data; undefined for SQLite in the data folder. */
  readonly databaseUrl: string | undefined;
  /** The secret as configured; undefined for the one in the data folder. */
  readonly secret: ConfiguredSecret | undefined;
}

export const sqliteFileOf = ({ dataDir }: Pick<BackupPlace, 'dataDir'>): string => sqliteFileIn(dataDir);
const secretFileOf = ({ dataDir }: Pick<BackupPlace, 'dataDir'>): string => join(dataDir, 'secret');

export const databaseOf = (place: BackupPlace): DatabasePlace =>
  place.databaseUrl === undefined ? { file: sqliteFileOf(place) } : { url: place.databaseUrl };

export const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Opens a database for a piece of work and closes it; what is wrong with the database is said in words. */
export async function withDatabase<Result>(
  database: DatabasePlace,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(database);
  try {
    return await work(storage);
  } catch (error) {
    throw storageProblem(database, error);
  } finally {
    await storage.close();
  }
}

/** The secret of this installation, which must be the one that a backup was made with; never makes one. */
export async function requireBackupSecret(
  place: BackupPlace,
  fingerprint: string,
  randomBytes: RandomBytes,
): Promise<KeyObject> {
  const path = secretFileOf(place);
  if (place.secret === undefined && !(await fileExists(path))) {
    throw new ServiceError(
      'invalidRequest',
      `The secret that the backup belongs to is missing. Put the file "secret" that was kept apart from the backup at ` +
        `${path}, or set SIGNPOST_SECRET or SIGNPOST_SECRET_FILE as it was configured. Nothing was changed.`,
    );
  }
  const { secret } = await loadSecret({
    configured: place.secret,
    dataDir: place.dataDir,
    fingerprint,
    randomBytes,
  });
  if (secretFingerprint(secret) === fingerprint) return secret;
  const where = place.secret === undefined ? `the file ${path}` : secretVariable(place.secret);
  throw new ServiceError(
    'invalidRequest',
    `The backup belongs to another secret than the one in ${where}. Restore it with the secret that the backed up ` +
      'installation had, into an empty data folder or an empty database. Nothing was changed.',
  );
}
