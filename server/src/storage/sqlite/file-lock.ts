import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../platform/errors.js';
import { makeFolder } from '../../platform/folders.js';
import { closeConnection, execute, openConnection, setBusyTimeout } from './connection.js';

const OWNER_ONLY = 0o600;

/** A lock that a process holds until it calls `release`, or ends. */
export interface FileLock {
  release(): Promise<void>;
}

/**
 * Creates the file if it is missing. Does not open an existing one: closing it would release this process's own
 * locks on it.
 */
async function createFile(file: string): Promise<void> {
  await makeFolder(dirname(file));
  try {
    const handle = await open(file, 'ax', OWNER_ONLY);
    await handle.close();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Takes the lock of a file, which is created if missing. Returns undefined if the lock is still held after `waitMs`.
 * The operating system releases the lock however the process ends. The lock is an exclusive transaction on an empty
 * SQLite database, because Node.js has no other way to lock a file. Throws the errors of Node.js and SQLite about the
 * file unchanged.
 */
export async function takeFileLock(file: string, waitMs: number): Promise<FileLock | undefined> {
  await createFile(file);
  const connection = await openConnection(file, 'write');
  try {
    await setBusyTimeout(connection, waitMs);
    await execute(connection, 'BEGIN EXCLUSIVE');
  } catch (error) {
    await closeConnection(connection);
    if (errorCode(error) === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return { release: () => closeConnection(connection) };
}
