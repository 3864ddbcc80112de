import { setTimeout as delay } from 'node:timers/promises';
import sqlite3 from 'sqlite3';
import { errorCode } from '../../platform/errors.js';

export type Connection = sqlite3.Database;

const BUSY_TIMEOUT_MS = 5_000;
const RETRY_MS = 20;

/** What the driver says by a callback, as a promise. */
const finished = (start: (done: (error: Error | null) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    start((error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

/** Opens a file that exists; a connection that could write would store the write-ahead log in the file at its end. */
export const openConnection = (file: string, mode: 'read' | 'write'): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const flags = mode === 'read' ? sqlite3.OPEN_READONLY : sqlite3.OPEN_READWRITE;
    const connection = new sqlite3.Database(file, flags, (error) => {
      if (error === null) resolve(connection);
      else reject(error);
    });
  });

export const closeConnection = (connection: Connection): Promise<void> =>
  finished((done) => connection.close(done));

export const execute = (connection: Connection, sql: string): Promise<void> =>
  finished((done) => connection.exec(sql, done));

/** The first row that a statement answers. */
export const readRow = (connection: Connection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.get(sql, (error, row) => {
      if (error === null) resolve(row);
      else reject(error);
    });
  });

/** SQLite answers at once, whatever the busy timeout, when two connections switch a new file to WAL together. */
async function switchToWal(connection: Connection, triesLeft = BUSY_TIMEOUT_MS / RETRY_MS): Promise<void> {
  try {
    await execute(connection, 'PRAGMA journal_mode = WAL');
  } catch (error) {
    if (triesLeft <= 0 || errorCode(error) !== 'SQLITE_BUSY') throw error;
    await delay(RETRY_MS);
    await switchToWal(connection, triesLeft - 1);
  }
}

/** Lets a connection wait for the locks of others. */
export const setBusyTimeout = (connection: Connection, timeoutMs = BUSY_TIMEOUT_MS): Promise<void> =>
  execute(connection, `PRAGMA busy_timeout = ${timeoutMs}`);

/**
 * Sets up a fresh connection. `synchronous = FULL` because what was acknowledged must survive the death of the
 * machine, and `fullfsync` because macOS keeps that promise only when asked.
 */
export async function configureConnection(connection: Connection): Promise<void> {
  await setBusyTimeout(connection);
  await switchToWal(connection);
  await execute(connection, 'PRAGMA synchronous = FULL');
  await execute(connection, 'PRAGMA fullfsync = ON');
  await execute(connection, 'PRAGMA foreign_keys = ON');
}
