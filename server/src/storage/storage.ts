import type { Knex } from 'knex';
import { z } from 'zod';

/** Statements that are prepared once and run many times, for the few that every request needs. */
export interface PreparedQueries {
  /** Runs a statement whose values stand as question marks. */
  all<Row>(sql: string, bindings: readonly (number | string)[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Where queries run: the database itself, or one transaction of it. */
export type Database = Knex;

/** Does some work in a transaction, all or nothing. */
export type Transact = <Result>(work: (transaction: Database) => Promise<Result>) => Promise<Result>;

/** In a transaction of the work's own. */
export const transactOn =
  (db: Database): Transact =>
  (work) =>
    db.transaction(work);

/** What differs between the engines that hold the data. */
export type Dialect = 'sqlite' | 'postgresql';

/** An open database whose schema is that of this version of the program. */
export interface Storage {
  readonly db: Database;
  readonly dialect: Dialect;
  /** Opens a connection of its own for the statements that every request needs; its opener closes it. */
  openPreparedQueries(): Promise<PreparedQueries>;
  /**
   * Milliseconds since the epoch by the database's own clock, which several servers share; undefined where the database
   * is on this very machine.
   */
  readonly readTimeMs?: () => Promise<number>;
  close(): Promise<void>;
}

const client = z.object({ dialect: z.enum(['sqlite3', 'postgresql']) });

/** The engine behind a database, for the few statements that no builder writes the same for both. */
export const dialectOf = (db: Database): Dialect =>
  client.parse(db.client).dialect === 'postgresql' ? 'postgresql' : 'sqlite';
