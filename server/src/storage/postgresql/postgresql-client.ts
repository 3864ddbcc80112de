import PostgresClient, { type PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import { errorCode, ServiceError } from '../../platform/errors.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * The error codes of a temporarily unusable server: it is unreachable; classes 08 and 53 of PostgreSQL (broken
 * connections, exhausted resources); it is stopping, crashed or starting; it is currently read-only; or a statement
 * timed out and had no effect.
 */
const CODES =
  /^(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)|(?:08|53)...|57P0[1-3]|57014|25006)$/u;

/**
 * The messages of errors without a code that also mean that the server is temporarily unusable. They come from the
 * driver, its pool and the query builder's pool. The query builder may put the statement and " - " before them.
 */
const MESSAGES =
  /(?:^| - )(?:Connection terminated|Query read timeout|timeout exceeded|Knex: Timeout acquiring|Client has encountered a connection error)/u;

const UNANSWERED = 'Query read timeout';

/** Whether the driver gave up on a statement that may still be running. */
const isUnanswered = (error: unknown): boolean => error instanceof Error && error.message === UNANSWERED;

/**
 * Converts an error which means that the database is temporarily unusable to a ServiceError `overloaded`. Returns other
 * errors unchanged.
 */
export function toUnavailable(error: unknown): unknown {
  const isWorded = error instanceof Error && MESSAGES.test(error.message);
  if (!isWorded && !CODES.test(errorCode(error))) return error;
  return new ServiceError('overloaded', 'The database is not answering at the moment. Try again.', {
    detail: `The database cannot be used: ${error instanceof Error ? error.message : errorCode(error)}`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

/**
 * A client of the query builder that converts the errors of a temporarily unusable database, so that callers know that
 * they can try again.
 */
export class PostgresqlClient extends PostgresClient {
  override acquireConnection(): Promise<unknown> {
    return super.acquireConnection().catch((error: unknown) => {
      throw toUnavailable(error);
    });
  }

  /**
   * Converts errors only after the query builder has put the statement before their message: callers see the converted
   * message, which does not contain the statement.
   */
  override query(connection: PostgresConnection, query: unknown): Promise<unknown> {
    return super.query(connection, query).catch((error: unknown) => {
      throw toUnavailable(error);
    });
  }

  /**
   * A statement that timed out, and its transaction, may still be running, so its connection must not be used again.
   */
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
