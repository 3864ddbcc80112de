import { ServiceError } from '../platform/errors.js';

/** The delay after which a rejected caller may try again. */
export const RETRY_AFTER_SECONDS = 5;

/**
 * The error if the caller has disconnected. Nobody reads it. Throwing it frees the capture's slot, and it does not
 * count as a server error.
 */
export const clientDisconnected = () =>
  new ServiceError('invalidRequest', 'The connection was closed before the capture was done.');

export const serverStopping = () =>
  new ServiceError('overloaded', 'The server is stopping. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
