import knex from 'knex';
import pg from 'pg';
import { z } from 'zod';
import { migrate } from '../migrate.js';
import type { Database, Storage } from '../storage.js';
import { PostgresqlClient } from './client.js';
import { lockSchema } from './lock-schema.js';
import { postgresqlProblem } from './problem.js';
import { openPostgresqlQueries } from './queries.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** After so long the server itself ends a statement, which then did nothing. */
const STATEMENT_TIMEOUT_MS = 12_000;
/** A statement that is not even ended gets no answer any more: the network or the server is gone. */
const ANSWER_TIMEOUT_MS = 15_000;
/** A transaction that nobody goes on with would hold its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
const MOST_CONNECTIONS = 8;

/** The driver hands 64-bit numbers over as texts; all of ours are times and counts far below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const settingsOf = (url: string) => ({
  connectionString: url,
  application_name: 'signpost',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: ANSWER_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
  // The statement that counts waits for a row and goes on with its latest version.
  options: '-c default_transaction_isolation=read\\ committed',
  keepAlive: true,
});

/** What the data layer says of a connection that it did not get, stack and all; whoever asked for it is told, too. */
const TOLD_TWICE = /^Acquire connection error/u;

const connect = (settings: ReturnType<typeof settingsOf>, log: (message: string) => void) =>
  knex({
    client: PostgresqlClient,
    connection: settings,
    // Messages of errors would otherwise show the values of a query: hashes and addresses.
    compileSqlOnError: false,
    log: {
      warn: (message: string) => (TOLD_TWICE.test(message) ? undefined : log(message)),
      error: log,
      deprecate: log,
      debug: () => undefined,
    },
    acquireConnectionTimeout: ANSWER_TIMEOUT_MS,
    pool: { min: 0, max: MOST_CONNECTIONS },
  });

const time = z.object({ rows: z.tuple([z.object({ ms: z.number() })]) });

/** Milliseconds since the epoch by the clock of the database's machine. */
async function readTimeMs(db: Database): Promise<number> {
  const answer: unknown = await db.raw(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  return time.parse(answer).rows[0].ms;
}

/** Opens a PostgreSQL database; throws a ServiceError that says what to do where it cannot be used. */
export async function openPostgresqlStorage(url: string, log: (message: string) => void): Promise<Storage> {
  const settings = settingsOf(url);
  const db = connect(settings, log);
  try {
    await migrate(db, lockSchema);
  } catch (error) {
    await db.destroy();
    throw postgresqlProblem(url, error);
  }
  return {
    db,
    dialect: 'postgresql',
    readTimeMs: () => readTimeMs(db),
    openPreparedQueries: () => Promise.resolve(openPostgresqlQueries(settings, log)),
    close: () => db.destroy(),
  };
}
