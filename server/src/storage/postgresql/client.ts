import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import { asUnavailable } from './unavailable.js';

/** Says of a database that goes away what callers may know: that another try makes sense. */
export class PostgresqlClient extends PostgresClient {
  override acquireConnection(): Promise<unknown> {
    return super.acquireConnection().catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  override _query(connection: unknown, query: unknown): Promise<unknown> {
    return super._query(connection, query).catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }
}
