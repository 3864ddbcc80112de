import { errorCode } from '../../error-code.js';
import { ServiceError } from '../../service-error.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * No way to the server; classes 08 and 53 of PostgreSQL, connections that broke and resources that are used up; a server
 * that stops, crashed or starts; one that cannot write at present; a statement that took too long and was not done.
 */
const CODES =
  /^(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)|(?:08|53)...|57P0[1-3]|57014|25006)$/u;

/** What the driver and the pools say without a code; the builder may have put the statement before it. */
const WORDS =
  /(?:^| - )(?:Connection terminated|Query read timeout|timeout exceeded|Knex: Timeout acquiring|Client has encountered a connection error)/u;

const UNANSWERED = 'Query read timeout';

/** Whether the driver has given a statement up that may be running still. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === UNANSWERED;

/** Turns the error of a database that cannot be used at the moment into one that says so; others come back as they are. */
export function asUnavailable(error: unknown): unknown {
  const isWorded = error instanceof Error && WORDS.test(error.message);
  if (!isWorded && !CODES.test(errorCode(error))) return error;
  return new ServiceError('overloaded', 'The database does not answer at the moment. Try again.', {
    detail: `The database cannot be used: ${error instanceof Error ? error.message : errorCode(error)}`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
