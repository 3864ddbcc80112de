import type { ErrorName } from '@signpost/contract';

export { errorCode, meaningOf, reasonOf } from 'signpost-mcp/system-errors';

interface ServiceErrorDetails {
  /** For the log and the operators' Health page: details that the caller does not need or must not see. */
  readonly detail?: string;
  /** The number of seconds after which another try makes sense. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** Whether the failure was already logged, for example once for an outage, and need not be logged again. */
  readonly isLogged?: boolean;
  /** Never for the caller: what is at fault, as one of a few fixed words, for the log, metrics and operators. */
  readonly reason?: string;
  /** Further fields of the response, beside the message. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A rejection or failure with a message for the caller. Its `kind` determines the HTTP status. */
export class ServiceError extends Error {
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly isLogged: boolean;
  readonly reason: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;

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
    this.reason = details.reason;
    this.fields = details.fields ?? {};
  }
}

/** Thrown by a command that needs an existing installation and found none. No installation is created. */
export class NoInstallationError extends ServiceError {
  constructor(location: string, messagePrefix = '') {
    super(
      'invalidRequest',
      `${messagePrefix}There is no installation in ${location}, and none was made. Run the command as the user that runs the server, with SIGNPOST_DATA_DIR and SIGNPOST_DATABASE_URL set as for the server. To set up a new installation there: npx signpost start`,
    );
    this.name = 'NoInstallationError';
  }
}
