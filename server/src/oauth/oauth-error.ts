import { OAUTH_ERRORS, type OAuthErrorCode } from '@signpost/contract';
import { ServiceError } from '../platform/errors.js';

/** A refusal with the code by which a client of OAuth tells it apart, and words for the person behind it. */
export class OAuthError extends ServiceError {
  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(OAUTH_ERRORS[code], message);
    this.name = 'OAuthError';
  }
}
