import type { ErrorName } from '@signpost/contract';

/** The code by which Node.js and the database engine tell an error apart, such as ENOENT; empty where it has none. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

interface ServiceErrorDetails {
  /** For the log alone: what the caller need not or must not know. */
  readonly detail?: string;
  /** Seconds after which another try makes sense. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** Whether the log says it already, such as once for an outage: the request then gets no line of its own. */
  readonly isLogged?: boolean;
}

/** A refusal or failure with the words that the caller reads; its name decides the HTTP status. */
export class ServiceError extends Error {
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly isLogged: boolean;

  constructor(
    readonly kind: ErrorName,
    message: string,
    details: ServiceErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ServiceError';
    this.detail = details.detail;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.isLogged = details.isLogged ?? false;
  }
}

/** A command that works on an existing installation found none; it made none either. */
export class NoInstallationError extends ServiceError {
  constructor(where: string, what = '') {
    super(
      'invalidRequest',
      `${what}There is no installation in ${where}, and none was made. Run the command as the user that runs the server, with SIGNPOST_DATA_DIR and SIGNPOST_DATABASE_URL set as for the server. To set up a new installation there: npx signpost start`,
    );
    this.name = 'NoInstallationError';
  }
}
