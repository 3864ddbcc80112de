import { resolve } from 'node:path';
import knex from 'knex';
import type { Database as Connection } from 'sqlite3';
import { migrate } from '../migrate.js';
import type { Storage } from '../storage.js';
import { configureConnection, setBusyTimeout } from './connection.js';
import { refuseDamagedFile } from './damage.js';
import { prepareSqliteFile } from './file.js';
import { markFile, refuseForeignFile } from './marker.js';
import { sqliteProblem } from './problem.js';
import { openSqliteQueries } from './queries.js';

/** Nothing of the file may change before it is known whose it is: the switch to WAL would. */
async function setUp(connection: Connection, file: string): Promise<void> {
  await setBusyTimeout(connection);
  await refuseForeignFile(connection, file);
  await configureConnection(connection);
}

const connect = (file: string, log: (message: string) => void) =>
  knex({
    client: 'sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    // Messages of errors would otherwise show the values of a query: hashes and addresses.
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
 * Opens the SQLite database in a file, made with its folder where there is none. Throws a ServiceError that says what
 * to do when the file is damaged, not a database, another program's, or of a newer version; such a file is left as it
 * is.
 */
export async function openSqliteStorage(file: string, log: (message: string) => void): Promise<Storage> {
  const path = resolve(file);
  try {
    await prepareSqliteFile(path);
    await refuseDamagedFile(path);
    const db = connect(path, log);
    try {
      await migrate(db, markFile);
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
