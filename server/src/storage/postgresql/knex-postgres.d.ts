/** The part of knex that speaks with PostgreSQL, which knex itself has no types for. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import { knex } from 'knex';

  /** A connection of the driver as knex keeps it. */
  export interface PostgresConnection {
    /** Why the pool is not to hand the connection out again. */
    __knex__disposed?: unknown;
    readonly connection: { readonly stream: { destroy(): void } };
  }

  export default class PostgresClient extends knex.Client {
    override acquireConnection(): Promise<unknown>;
    override query(connection: PostgresConnection, query: unknown): Promise<unknown>;
    _query(connection: PostgresConnection, query: unknown): Promise<unknown>;
  }
}
