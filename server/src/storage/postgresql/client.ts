import PostgresClient, { type PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import { asUnavailable, isUnanswered } from './unavailable.js';

/** Says of a database that goes away what callers may know: that another try makes sense. */
export class PostgresqlClient extends PostgresClient {
  override acquireConnection(): Promise<unknown> {
    return super.acquireConnection().catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  /** What the builder puts before an error's message, the statement, is not for callers either. */
  override query(connection: PostgresConnection, query: unknown): Promise<unknown> {
    return super.query(connection, query).catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  /** A statement that was given up may still run, and so may its transaction: nothing else may come to be in it. */
  override _query(connection: PostgresConnection, query: unknown): Promise<unknown> {
    return super._query(connection, query).catch((error: unknown) => {
      if (isUnanswered(error)) {
        connection.__knex__disposed = error;
        connection.connection.stream.destroy();
      }
      throw error;
    });
  }
}
