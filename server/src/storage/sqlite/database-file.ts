import { chmod, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../platform/errors.js';
import { makeFolder } from '../../platform/folders.js';
import { closeConnection, openConnection, readRow, setBusyTimeout } from './connection.js';

/** The path of an installation's SQLite database. */
export const sqliteFileIn = (dataDir: string): string => join(dataDir, 'signpost.db');

/** The path of the lock held by the server that uses the folder. */
export const serverLockIn = (dataDir: string): string => join(dataDir, 'server.lock');

const OWNER_ONLY = 0o600;
const OTHERS_MASK = 0o077;

/** Removes other users' access to a file. Does nothing if the file does not exist. */
async function restrictToOwner(path: string): Promise<void> {
  const mode = await stat(path).then(
    (stats) => stats.mode,
    () => 0,
  );
  if ((mode & OTHERS_MASK) !== 0) await chmod(path, OWNER_ONLY);
}

/**
 * Makes sure that a database file and its folder exist, and that only the owner can read the file. SQLite
 * gives files beside a database the same permissions.
 */
export async function prepareSqliteFile(file: string): Promise<void> {
  await makeFolder(dirname(file));
  const handle = await open(file, 'a', OWNER_ONLY);
  await handle.close();
  for (const suffix of ['', '-wal', '-shm']) await restrictToOwner(file + suffix);
}

const DAMAGED = 'SQLITE_CORRUPT';
/** The errors that `rejectDamagedFile` reports. Others are reported when the file is opened for writing. */
const DAMAGE_CODES = new Set([DAMAGED, 'SQLITE_NOTADB']);

const answer = z.object({ quick_check: z.string() });

const damageError = (message: string) => Object.assign(new Error(message), { code: DAMAGED });

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Reads every page, about 3 ms per megabyte. Throws an error with SQLite's code if one is damaged. */
async function readAll(file: string): Promise<void> {
  const connection = await openConnection(file, 'read');
  try {
    await setBusyTimeout(connection);
    const row = await readRow(connection, 'PRAGMA quick_check(1)');
    const { quick_check: finding } = answer.parse(row);
    if (finding !== 'ok') throw damageError(finding);
  } finally {
    await closeConnection(connection);
  }
}

/** Throws an error with SQLite's code if a file is damaged or not a database. Leaves the file unchanged. */
export async function rejectDamagedFile(file: string): Promise<void> {
  // The write-ahead log is measured first: a process that is creating the database and its log writes the first page of
  // the database before it creates the log.
  const [logBytes, bytes] = [await sizeOf(`${file}-wal`), await sizeOf(file)];
  // SQLite itself would treat the empty file as a new database, and delete the log.
  if (bytes === 0 && logBytes > 0) throw damageError('The file is empty, but its write-ahead log is not.');
  if (bytes === 0) return;
  try {
    await readAll(file);
  } catch (error) {
    if (DAMAGE_CODES.has(errorCode(error))) throw error;
  }
}
