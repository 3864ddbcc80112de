import { openSqliteStorage } from './sqlite/sqlite-storage.js';
import { postgresqlProblem, sqliteProblem } from './storage-problem.js';
import type { Storage } from './storage.js';

/** Where a database is: a SQLite file on this machine, or a PostgreSQL server. */
export type DatabasePlace =
  | { readonly file: string }
  | {
      /** postgres://user:password@host:port/database */
      readonly url: string;
    };

interface StorageOptions {
  /** Hears what the data layer warns of. */
  readonly log?: (message: string) => void;
  /** Throws a NoInstallationError instead of making a database. */
  readonly mustExist?: boolean;
}

/**
 * Opens the database and brings its schema to this version's. Throws a ServiceError that says what to do when it
 * cannot be opened, is another program's, or of a newer version; it is then left as it is.
 */
export async function openStorage(options: DatabasePlace & StorageOptions): Promise<Storage> {
  const log = options.log ?? (() => undefined);
  const { mustExist = false } = options;
  if (!('url' in options)) return openSqliteStorage(options.file, log, mustExist);
  // Not loaded above: a server on SQLite starts sooner without the driver.
  const { openPostgresqlStorage } = await import('./postgresql/postgresql-storage.js');
  return openPostgresqlStorage(options.url, log, mustExist);
}

/** The words for what can be wrong with a database; an error that is not about it comes back as it is. */
export const storageProblem = (place: DatabasePlace, error: unknown): unknown =>
  'url' in place ? postgresqlProblem(place.url, error) : sqliteProblem(place.file, error);
