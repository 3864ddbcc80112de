import type { Knex } from 'knex';
import { z } from 'zod';

/** Statements that are prepared once and run many times, for the few that run most often. */
export interface PreparedQueries {
  /** Runs a statement with question marks for its values. */
  all<Row>(sql: string, bindings: readonly (number | string)[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Runs queries: the database itself, or one of its transactions. */
export type Database = Knex;

/** Runs work in one transaction, all or nothing: in the one that `db` is, or else in a new one. */
export const inTransaction = <Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> => (db.isTransaction === true ? work(db) : db.transaction(work));

/** The database engines. */
export type Dialect = 'sqlite' | 'postgresql';

/** An open database with the current schema. */
export interface Storage {
  readonly db: Database;
  readonly dialect: Dialect;
  /**
   * Opens a connection (SQLite) or a pool of connections (PostgreSQL) only for the statements that run most often. The
   * caller must close it.
   */
  openPreparedQueries(): Promise<PreparedQueries>;
  /**
   * Milliseconds since the epoch on the clock of the database's machine, which several servers share; undefined for
   * SQLite, which has no clock of its own.
   */
  readonly readTimeMs?: () => Promise<number>;
  close(): Promise<void>;
}

const client = z.object({ dialect: z.enum(['sqlite3', 'postgresql']) });

/** The engine of a database, for the few statements that the query builder cannot write for both. */
export const dialectOf = (db: Database): Dialect =>
  client.parse(db.client).dialect === 'postgresql' ? 'postgresql' : 'sqlite';
