/** The PostgreSQL part of knex, for which knex itself has no types. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import { knex } from 'knex';

  /** A connection of the driver, as stored by knex. */
  export interface PostgresConnection {
    /** Set to the reason why the pool must not use the connection again. */
    __knex__disposed?: unknown;
    readonly connection: { readonly stream: { destroy(): void } };
  }

  export default class PostgresClient extends knex.Client {
    override acquireConnection(): Promise<unknown>;
    override query(connection: PostgresConnection, query: unknown): Promise<unknown>;
    _query(connection: PostgresConnection, query: unknown): Promise<unknown>;
  }
}
