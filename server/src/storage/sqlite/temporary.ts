import knex from 'knex';
import type { Database } from '../storage.js';

/** An empty database that goes with the process, whatever ends it: SQLite unlinks its file at once. */
export const openTemporaryDatabase = (): Database =>
  knex({
    client: 'sqlite3',
    connection: { filename: '' },
    useNullAsDefault: true,
    compileSqlOnError: false,
    // Each connection to such a database is a database of its own.
    pool: { min: 1, max: 1 },
  });
