interface SignpostApiErrorDetails {
  /** HTTP status of the answer; left out where none came. */
  readonly status?: number | undefined;
  /** Seconds after which another try makes sense. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A call that was refused or failed, in words for the caller; it carries nothing of the request. */
export class SignpostApiError extends Error {
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, details: SignpostApiErrorDetails = {}) {
    super(message);
    this.name = 'SignpostApiError';
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
