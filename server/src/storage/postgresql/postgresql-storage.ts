import knex from 'knex';
import pg from 'pg';
import { NoInstallationError, ServiceError } from '../../platform/errors.js';
import { MINUTE_MS } from '../../platform/time-units.js';
import { migrate } from '../migrations/migrate.js';
import type { Database, Storage } from '../storage.js';
import { connectionOf } from './connection-url.js';
import { PostgresqlClient } from './postgresql-client.js';
import { postgresqlProblem } from '../storage-problem.js';
import { openPostgresqlQueries } from './postgresql-queries.js';
import { openPresence } from './presence.js';

/** The lock that every Signpost takes before it reads the schema. An arbitrary number. */
const SCHEMA_LOCK = 0x53_67_6e_70;

/**
 * Throws a ServiceError if the database has tables, but no table `installation`. Other names, such as `migrations`, do
 * not show that a table is ours.
 */
async function rejectForeignDatabase(transaction: Database): Promise<void> {
  if (await transaction.schema.hasTable('installation')) return;
  const tables = await transaction('information_schema.tables')
    .where({ table_schema: transaction.raw('current_schema()') })
    .count({ tables: '*' });
  if (Number(tables[0]?.['tables'] ?? 0) === 0) return;
  throw new ServiceError(
    'internal',
    'The database holds the tables of another program. Make a database for Signpost alone and name that one in ' +
      'SIGNPOST_DATABASE_URL.',
  );
}

/**
 * Makes other processes that open the database wait until the transaction ends, and removes the transaction's timeout
 * of statements. Throws a ServiceError if the database is another program's.
 */
export async function lockSchema(transaction: Database): Promise<void> {
  await transaction.raw('SELECT pg_advisory_xact_lock(?)', [SCHEMA_LOCK]);
  // Large tables take time to change, so PostgreSQL's timeout of statements does not apply in this transaction. It
  // still applies to servers that wait for this lock.
  await transaction.raw('SET LOCAL statement_timeout = 0');
  await rejectForeignDatabase(transaction);
}

const CONNECT_TIMEOUT_MS = 5_000;
/** PostgreSQL cancels a statement after this time. The statement then has no effect. */
const STATEMENT_TIMEOUT_MS = 12_000;
/**
 * If a statement is not even cancelled within this time, or no connection of the pool becomes free, the database counts
 * as not answering.
 */
const ANSWER_TIMEOUT_MS = 15_000;
/** PostgreSQL ends a transaction that is idle for this long. Otherwise an abandoned one would keep its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = MINUTE_MS;
const MAX_CONNECTIONS = 8;

/** The driver returns 64-bit numbers as texts. Our columns hold times and counts far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const settingsOf = async (url: string) => ({
  ...(await connectionOf(url)),
  application_name: 'signpost',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: ANSWER_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
  // At this isolation level, the statement that counts requests waits for a row's lock and then uses the row's latest
  // version.
  options: '-c default_transaction_isolation=read\\ committed',
  keepAlive: true,
});

/**
 * Warnings that are not logged: the query builder warns of a failed connection, with its stack, although the caller
 * gets the error too.
 */
const REPORTED_TWICE = /^Acquire connection error/u;

const connect = (settings: Awaited<ReturnType<typeof settingsOf>>, log: (message: string) => void) =>
  knex({
    client: PostgresqlClient,
    connection: settings,
    // If true, error messages would contain the values of a query: hashes and addresses.
    compileSqlOnError: false,
    log: {
      warn: (message: string) => (REPORTED_TWICE.test(message) ? undefined : log(message)),
      error: log,
      deprecate: log,
      debug: () => undefined,
    },
    acquireConnectionTimeout: ANSWER_TIMEOUT_MS,
    pool: { min: 0, max: MAX_CONNECTIONS },
  });

/**
 * Opens a PostgreSQL database and applies missing migrations. If it is empty, creates the tables or, with `mustExist`,
 * throws a NoInstallationError. Throws a ServiceError that says what to do about a failure of a known cause.
 */
export async function openPostgresqlStorage(
  url: string,
  log: (message: string) => void,
  mustExist = false,
): Promise<Storage> {
  const settings = await settingsOf(url);
  // Without the driver's timeout, because large tables take time to change.
  const migrating = connect({ ...settings, query_timeout: 0 }, log);
  try {
    const lock = async (transaction: Database) => {
      await lockSchema(transaction);
      if (mustExist && !(await transaction.schema.hasTable('installation')))
        throw new NoInstallationError('the database that SIGNPOST_DATABASE_URL names');
    };
    await migrate(migrating, lock, log);
  } catch (error) {
    throw postgresqlProblem(url, error);
  } finally {
    await migrating.destroy();
  }
  const db = connect(settings, log);
  const presence = openPresence(settings, log);
  return {
    db,
    dialect: 'postgresql',
    readTimeMs: () => presence.readTimeMs(),
    openPreparedQueries: () => Promise.resolve(openPostgresqlQueries(settings, log)),
    async close() {
      await presence.close();
      await db.destroy();
    },
  };
}
