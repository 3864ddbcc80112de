import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import knex from 'knex';
import { z } from 'zod';
import { errorCode, NoInstallationError, ServiceError } from '../../platform/errors.js';
import { migrate } from '../migrations/migrate.js';
import type { Database, Storage } from '../storage.js';
import { configureConnection, loadDriver, readRow, setBusyTimeout, type Connection } from './connection.js';
import { prepareSqliteFile, rejectDamagedFile } from './database-file.js';
import { sqliteProblem } from '../storage-problem.js';
import { openSqliteQueries } from './sqlite-queries.js';

/** "Sgnp": the mark in a file's header that identifies our databases. */
const APPLICATION_ID = 0x53_67_6e_70;

const header = z.object({ application_id: z.number(), objects: z.number() });

const READ_HEADER =
  'SELECT application_id, (SELECT count(*) FROM sqlite_master) AS objects FROM pragma_application_id';

/** Throws a ServiceError if the file is another program's database: neither marked as ours, nor unmarked and empty. */
async function rejectForeignFile(connection: Connection, file: string): Promise<void> {
  const { application_id: mark, objects } = header.parse(await readRow(connection, READ_HEADER));
  if (mark === APPLICATION_ID || (mark === 0 && objects === 0)) return;
  throw new ServiceError(
    'internal',
    `${file} is the database of another program. Choose another data folder, or move the file away.`,
  );
}

/**
 * Marks the file as ours. This write takes the write lock, and as the first statement of a transaction it
 * waits for another writer instead of failing.
 */
async function markFile(transaction: Database): Promise<void> {
  await transaction.raw(`PRAGMA application_id = ${APPLICATION_ID}`);
}

/** Checks whose file it is before changing anything: switching to WAL mode changes the file. */
async function setUp(connection: Connection, file: string): Promise<void> {
  await setBusyTimeout(connection);
  await rejectForeignFile(connection, file);
  await configureConnection(connection);
}

const connect = (file: string, log: (message: string) => void) =>
  knex({
    client: 'sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    // If true, error messages would contain the values of a query: hashes and addresses.
    compileSqlOnError: false,
    log: { warn: log, error: log, deprecate: log, debug: () => undefined },
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: Connection, done: (error?: unknown) => void) {
        setUp(connection, file).then(
          () => done(),
          (error: unknown) => connection.close(() => done(error)),
        );
      },
    },
  });

/**
 * Whether a file exists and is not empty. A file that this user cannot access counts as one with content, because
 * opening it reports the problem.
 */
const hasContent = (file: string) =>
  stat(file).then(
    ({ size }) => size > 0,
    (error: unknown) => errorCode(error) !== 'ENOENT',
  );

/**
 * Whether there is a database. If its file was emptied or removed but its write-ahead log has content, opening it
 * reports that.
 */
const databaseExists = async (file: string) => (await hasContent(file)) || hasContent(`${file}-wal`);

/**
 * Opens the SQLite database in a file. If it is missing, creates it and its folder or, with `mustExist`, throws a
 * NoInstallationError. Throws a ServiceError that says what to do about a failure of a known cause, such as a file that
 * is damaged, not a database, another program's, or of a newer version. The content of such a file is left unchanged.
 */
export async function openSqliteStorage(
  file: string,
  log: (message: string) => void,
  mustExist = false,
): Promise<Storage> {
  const path = resolve(file);
  await loadDriver();
  if (mustExist && !(await databaseExists(path))) throw new NoInstallationError(dirname(path));
  try {
    await prepareSqliteFile(path);
    await rejectDamagedFile(path);
    const db = connect(path, log);
    try {
      await migrate(db, markFile, log);
    } catch (error) {
      await db.destroy();
      throw error;
    }
    return {
      db,
      dialect: 'sqlite',
      openPreparedQueries: () => openSqliteQueries(path),
      close: () => db.destroy(),
    };
  } catch (error) {
    throw sqliteProblem(path, error);
  }
}

/** An empty database that disappears with the process, however it ends: SQLite unlinks its file at once. */
export const openTemporaryDatabase = (): Database =>
  knex({
    client: 'sqlite3',
    connection: { filename: '' },
    useNullAsDefault: true,
    compileSqlOnError: false,
    // Each connection to a temporary database would open another database.
    pool: { min: 1, max: 1 },
  });
