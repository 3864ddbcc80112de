import { OAUTH_ERRORS, type OAuthErrorCode } from '@signpost/contract';
import { ServiceError } from '../platform/errors.js';

/** An error with a message for people and, for clients, its OAuth code. */
export class OAuthError extends ServiceError {
  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(OAUTH_ERRORS[code], message);
    this.name = 'OAuthError';
  }
}
