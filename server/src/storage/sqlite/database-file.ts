import { chmod, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../platform/errors.js';
import { makeFolder } from '../../platform/folders.js';
import { closeConnection, openConnection, readRow, setBusyTimeout } from './connection.js';

/** The database of an installation in SQLite. */
export const sqliteFileIn = (dataDir: string): string => join(dataDir, 'signpost.db');

/** What the server that serves from the folder holds. */
export const serverLockIn = (dataDir: string): string => join(dataDir, 'server.lock');

const OWNER_ONLY = 0o600;
const OTHERS_MASK = 0o077;

/** Takes a file's access away from others; a file that does not exist is fine. */
async function closeToOthers(path: string): Promise<void> {
  const mode = await stat(path).then(
    (stats) => stats.mode,
    () => 0,
  );
  if ((mode & OTHERS_MASK) !== 0) await chmod(path, OWNER_ONLY);
}

/**
 * Makes sure that a database file and its folder exist and that the owner alone can read the file. SQLite gives
 * the files that it puts beside a database the database's own mode.
 */
export async function prepareSqliteFile(file: string): Promise<void> {
  await makeFolder(dirname(file));
  const handle = await open(file, 'a', OWNER_ONLY);
  await handle.close();
  for (const suffix of ['', '-wal', '-shm']) await closeToOthers(file + suffix);
}

const DAMAGED = 'SQLITE_CORRUPT';
/** Other troubles of the file show, with their own words, when it is opened to be written. */
const FINDINGS = new Set([DAMAGED, 'SQLITE_NOTADB']);

const answer = z.object({ quick_check: z.string() });

const damage = (message: string) => Object.assign(new Error(message), { code: DAMAGED });

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Reads every page: about 3 ms for each megabyte. */
async function readAll(file: string): Promise<void> {
  const connection = await openConnection(file, 'read');
  try {
    await setBusyTimeout(connection);
    const row = await readRow(connection, 'PRAGMA quick_check(1)');
    const { quick_check: finding } = answer.parse(row);
    if (finding !== 'ok') throw damage(finding);
  } finally {
    await closeConnection(connection);
  }
}

/** Throws an error with the code of SQLite where a file is damaged or no database; changes nothing. */
export async function refuseDamagedFile(file: string): Promise<void> {
  // In this order, since another process may be making both; the file then has its first page before there is a log.
  const [logBytes, bytes] = [await sizeOf(`${file}-wal`), await sizeOf(file)];
  // SQLite itself would take the file for a new database, and delete the log.
  if (bytes === 0 && logBytes > 0) throw damage('The file is empty, but its write-ahead log is not.');
  if (bytes === 0) return;
  try {
    await readAll(file);
  } catch (error) {
    if (FINDINGS.has(errorCode(error))) throw error;
  }
}
