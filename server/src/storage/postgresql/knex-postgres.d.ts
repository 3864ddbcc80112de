/** The part of knex that speaks with PostgreSQL, which knex itself has no types for. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import { knex } from 'knex';

  export default class PostgresClient extends knex.Client {
    override acquireConnection(): Promise<unknown>;
    _query(connection: unknown, query: unknown): Promise<unknown>;
  }
}
