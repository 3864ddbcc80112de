import type { Knex } from 'knex';
import type { PreparedQueries } from './prepared-queries.js';

/** Where queries run: the database itself, or one transaction of it. */
export type Database = Knex;

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
