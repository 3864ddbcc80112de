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
  /** Throws a NoInstallationError instead of creating a database. */
  readonly mustExist?: boolean;
}

/**
 * Opens the database and applies missing migrations. Throws a ServiceError that says what to do if the database cannot
 * be opened, is another program's, or is of a newer version. The content of the database is then left unchanged.
 */
export async function openStorage(options: DatabaseLocation & StorageOptions): Promise<Storage> {
  const log = options.log ?? (() => undefined);
  const { mustExist = false } = options;
  if (!('url' in options)) return openSqliteStorage(options.file, log, mustExist);
  // Imported on demand, so that a server on SQLite starts sooner.
  const { openPostgresqlStorage } = await import('./postgresql/postgresql-storage.js');
  return openPostgresqlStorage(options.url, log, mustExist);
}

/** Explains an error of opening or reaching the database if there is advice about it. Returns others unchanged. */
export const storageProblem = (location: DatabaseLocation, error: unknown): unknown =>
  'url' in location ? postgresqlProblem(location.url, error) : sqliteProblem(location.file, error);
