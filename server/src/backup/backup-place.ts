import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfiguredSecret } from '../secret/load-secret.js';
import { openStorage, type DatabasePlace } from '../storage/open-storage.js';
import { sqliteFileIn } from '../storage/sqlite/data-folder.js';
import { storageProblem } from '../storage/problem.js';
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
export const secretFileOf = ({ dataDir }: Pick<BackupPlace, 'dataDir'>): string => join(dataDir, 'secret');

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
