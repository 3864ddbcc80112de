import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../platform/errors.js';
import { makeFolder } from '../../platform/folders.js';
import { closeConnection, execute, openConnection, setBusyTimeout } from './connection.js';

const OWNER_ONLY = 0o600;

/** A lock that a process holds until it gives it back, or ends. */
export interface FileLock {
  release(): Promise<void>;
}

/** A file that is there stays unopened: to close it would end the locks that this very process has on it. */
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
 * Takes the lock of a file, made where there is none; undefined where another has it still after so long. The operating
 * system gives it back whatever ends the process. The file is an empty SQLite database in an exclusive transaction,
 * since nothing else of Node.js locks a file. What is wrong with the file is thrown as Node.js and SQLite say it.
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
