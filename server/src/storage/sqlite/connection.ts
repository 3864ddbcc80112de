import { setTimeout as delay } from 'node:timers/promises';
import type { Database as Connection } from 'sqlite3';
import { errorCode, ServiceError } from '../../platform/errors.js';

export type { Database as Connection } from 'sqlite3';

const BUSY_TIMEOUT_MS = 5_000;
const RETRY_MS = 20;

/** Converts a callback of the driver to a promise. */
const toPromise = (start: (done: (error: Error | null) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    start((error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

/**
 * Loads the driver, which a server on PostgreSQL does not need. Throws a ServiceError that says what to do if
 * npm has not built it.
 */
export async function loadDriver() {
  try {
    return (await import('sqlite3')).default;
  } catch (cause) {
    throw new ServiceError(
      'internal',
      'SQLite is not built for this machine. Run "npm rebuild sqlite3 --foreground-scripts" where Signpost is installed. To compile it, npm needs python3, make and a C++ compiler.',
      { cause },
    );
  }
}

/**
 * Opens an existing file. To leave it unchanged, open it for reading: closing a connection for writing could write the
 * write-ahead log into the file.
 */
export async function openConnection(file: string, mode: 'read' | 'write'): Promise<Connection> {
  const sqlite3 = await loadDriver();
  return new Promise((resolve, reject) => {
    const flags = mode === 'read' ? sqlite3.OPEN_READONLY : sqlite3.OPEN_READWRITE;
    const connection = new sqlite3.Database(file, flags, (error) => {
      if (error === null) resolve(connection);
      else reject(error);
    });
  });
}

export const closeConnection = (connection: Connection): Promise<void> =>
  toPromise((done) => connection.close(done));

export const execute = (connection: Connection, sql: string): Promise<void> =>
  toPromise((done) => connection.exec(sql, done));

/** The first row of a statement's result; undefined if the result is empty. */
export const readRow = (connection: Connection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.get(sql, (error, row) => {
      if (error === null) resolve(row);
      else reject(error);
    });
  });

/**
 * Switches a file to WAL mode. Tries again for some seconds if SQLite fails because another connection switches a new
 * file at the same moment: the busy timeout does not cover that.
 */
async function switchToWal(connection: Connection, triesLeft = BUSY_TIMEOUT_MS / RETRY_MS): Promise<void> {
  try {
    await execute(connection, 'PRAGMA journal_mode = WAL');
  } catch (error) {
    if (triesLeft <= 0 || errorCode(error) !== 'SQLITE_BUSY') throw error;
    await delay(RETRY_MS);
    await switchToWal(connection, triesLeft - 1);
  }
}

/** Makes a connection wait for the locks of others, for at most `timeoutMs`. */
export const setBusyTimeout = (connection: Connection, timeoutMs = BUSY_TIMEOUT_MS): Promise<void> =>
  execute(connection, `PRAGMA busy_timeout = ${timeoutMs}`);

/**
 * Configures a new connection. `synchronous = FULL` because acknowledged data must survive a crash of the
 * machine, and `fullfsync` because macOS only guarantees that on request.
 */
export async function configureConnection(connection: Connection): Promise<void> {
  await setBusyTimeout(connection);
  await switchToWal(connection);
  await execute(connection, 'PRAGMA synchronous = FULL');
  await execute(connection, 'PRAGMA fullfsync = ON');
  await execute(connection, 'PRAGMA foreign_keys = ON');
}
