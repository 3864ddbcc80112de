import { setTimeout as delay } from 'node:timers/promises';
import type { Database as Connection } from 'sqlite3';
import { errorCode } from '../../platform/errors.js';

const busyTimeoutMs = 5_000;
const retryMs = 20;

const run = (connection: Connection, sql: string) =>
  new Promise<void>((resolve, reject) => {
    connection.exec(sql, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

/** SQLite answers at once, whatever the busy timeout, when two connections switch a new file to WAL together. */
async function switchToWal(connection: Connection, triesLeft = busyTimeoutMs / retryMs): Promise<void> {
  try {
    await run(connection, 'PRAGMA journal_mode = WAL');
  } catch (error) {
    if (triesLeft <= 0 || errorCode(error) !== 'SQLITE_BUSY') throw error;
    await delay(retryMs);
    await switchToWal(connection, triesLeft - 1);
  }
}

/** Lets a connection wait for the locks of others. */
export const setBusyTimeout = (connection: Connection) =>
  run(connection, `PRAGMA busy_timeout = ${busyTimeoutMs}`);

/**
 * Sets up a fresh connection. `synchronous = FULL` because what was acknowledged must survive the death of the
 * machine, and `fullfsync` because macOS keeps that promise only when asked.
 */
export async function configureConnection(connection: Connection): Promise<void> {
  await setBusyTimeout(connection);
  await switchToWal(connection);
  await run(connection, 'PRAGMA synchronous = FULL');
  await run(connection, 'PRAGMA fullfsync = ON');
  await run(connection, 'PRAGMA foreign_keys = ON');
}
