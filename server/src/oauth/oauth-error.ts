import { OAUTH_ERRORS, type OAuthErrorCode } from '@signpost/contract';
import { ServiceError } from '../platform/errors.js';

/** An error with its OAuth code for clients, and a message for people. */
export class OAuthError extends ServiceError {
  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(OAUTH_ERRORS[code], message);
    this.name = 'OAuthError';
  }
}
