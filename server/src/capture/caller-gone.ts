import { ServiceError } from '../service-error.js';

/** Nobody reads this; it frees the capture's place and is no failure of the server. */
export const callerGone = () =>
  new ServiceError('invalidRequest', 'The connection was closed before the capture was done.');
