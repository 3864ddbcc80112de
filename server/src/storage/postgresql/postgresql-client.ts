import PostgresClient, { type PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import { errorCode, ServiceError } from '../../platform/errors.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * No way to the server; classes 08 and 53 of PostgreSQL, connections that broke and resources that are used up; a server
 * that stops, crashed or starts; one that cannot write at present; a statement that took too long and was not done.
 */
const CODES =
  /^(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)|(?:08|53)...|57P0[1-3]|57014|25006)$/u;

/** What the driver and the pools say without a code; the builder may have put the statement before it. */
const MESSAGES =
  /(?:^| - )(?:Connection terminated|Query read timeout|timeout exceeded|Knex: Timeout acquiring|Client has encountered a connection error)/u;

const UNANSWERED = 'Query read timeout';

/** Whether the driver has given a statement up that may be running still. */
const isUnanswered = (error: unknown): boolean => error instanceof Error && error.message === UNANSWERED;

/** Turns the error of a database that cannot be used at the moment into one that says so; others come back as they are. */
export function toUnavailable(error: unknown): unknown {
  const isWorded = error instanceof Error && MESSAGES.test(error.message);
  if (!isWorded && !CODES.test(errorCode(error))) return error;
  return new ServiceError('overloaded', 'The database is not answering at the moment. Try again.', {
    detail: `The database cannot be used: ${error instanceof Error ? error.message : errorCode(error)}`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

/** Says of a database that goes away what callers may know: that another try makes sense. */
export class PostgresqlClient extends PostgresClient {
  override acquireConnection(): Promise<unknown> {
    return super.acquireConnection().catch((error: unknown) => {
      throw toUnavailable(error);
    });
  }

  /** What the builder puts before an error's message, the statement, is not for callers either. */
  override query(connection: PostgresConnection, query: unknown): Promise<unknown> {
    return super.query(connection, query).catch((error: unknown) => {
      throw toUnavailable(error);
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
