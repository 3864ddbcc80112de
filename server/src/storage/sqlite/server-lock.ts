import { resolve } from 'node:path';
import sqlite3 from 'sqlite3';
import { errorCode, ServiceError } from '../../platform/errors.js';
import { prepareSqliteFile } from './database-file.js';
import { sqliteProblem } from './sqlite-problem.js';

/** As long as a server that is just stopping may need. */
const WAIT_MS = 5_000;

/** Held by the server that serves from a folder. */
export interface ServerLock {
  release(): Promise<void>;
}

const open = (file: string) =>
  new Promise<sqlite3.Database>((resolveOpen, reject) => {
    const database = new sqlite3.Database(file, (error) => {
      if (error === null) resolveOpen(database);
      else reject(error);
    });
  });

const run = (database: sqlite3.Database, sql: string) =>
  new Promise<void>((resolveRun, reject) => {
    database.exec(sql, (error) => {
      if (error === null) resolveRun();
      else reject(error);
    });
  });

const close = (database: sqlite3.Database) =>
  new Promise<void>((resolveClose, reject) => {
    database.close((error) => {
      if (error === null) resolveClose();
      else reject(error);
    });
  });

/**
 * Takes the lock of the SQLite installation in a folder, which the operating system gives back whatever ends the
 * process; an empty database beside the real one, since nothing else of Node.js locks a file. Throws a ServiceError
 * where another server has it.
 */
export async function takeServerLock(file: string): Promise<ServerLock> {
  const path = resolve(file);
  const database = await prepareSqliteFile(path)
    .then(() => open(path))
    .catch((error: unknown) => {
      throw sqliteProblem(path, error);
    });
  try {
    await run(database, `PRAGMA busy_timeout = ${WAIT_MS}; BEGIN EXCLUSIVE`);
  } catch (error) {
    await close(database);
    if (errorCode(error) !== 'SQLITE_BUSY') throw sqliteProblem(path, error);
    throw new ServiceError(
      'internal',
      `Another server runs on this data folder (it holds ${path}). End that one, or choose another folder with ` +
        'SIGNPOST_DATA_DIR. Several servers share a PostgreSQL: set SIGNPOST_DATABASE_URL.',
      { cause: error },
    );
  }
  return { release: () => close(database) };
}
