import { openSqliteStorage } from './sqlite/sqlite-storage.js';
import { postgresqlProblem, sqliteProblem } from './storage-problem.js';
import type { Storage } from './storage.js';

/** The location of a database: a SQLite file on this machine, or a PostgreSQL server. */
export type DatabaseLocation =
  | { readonly file: string }
  | {
      /** postgres://user:password@host:port/database */
      readonly url: string;
    };

interface StorageOptions {
  /** Receives the warnings and errors of the data layer, and a line about an upgrade. */
  readonly log?: (message: string) => void;
  /** Whether to throw a NoInstallationError if the database is missing or empty, instead of creating it. */
  readonly mustExist?: boolean;
}

/**
 * Opens the database, or creates it if it is missing or empty, and applies missing migrations. Throws a ServiceError
 * that says what to do about a failure of a known cause. The content of a database that is another program's, or of a
 * newer version, is left unchanged.
 */
export async function openStorage(options: DatabaseLocation & StorageOptions): Promise<Storage> {
  const log = options.log ?? (() => undefined);
  const { mustExist = false } = options;
  if (!('url' in options)) return openSqliteStorage(options.file, log, mustExist);
  // Imported on demand, so that a server on SQLite starts sooner.
  const { openPostgresqlStorage } = await import('./postgresql/postgresql-storage.js');
  return openPostgresqlStorage(options.url, log, mustExist);
}

/**
 * Converts an error of opening or reaching the database to a ServiceError with advice, if there is advice about it.
 * Returns other errors unchanged.
 */
export const storageProblem = (location: DatabaseLocation, error: unknown): unknown =>
  'url' in location ? postgresqlProblem(location.url, error) : sqliteProblem(location.file, error);
