import { ServiceError } from '../service-error.js';
import type { Admission } from '../usage/admission.js';
import type { Meter } from '../usage/meter.js';
import { rateLimitMessage, retryAfterSeconds } from '../usage/rate-limit.js';

/**
 * Counts one call of a key, as a request to interface A is counted. Throws a ServiceError where the key has been
 * revoked or its limit is used up.
 */
export const admitCall = (meter: Meter, keyId: number): Promise<Admission> =>
  new Promise((resolve, reject) => {
    meter.admit(keyId, (error, admission) => {
      if (error !== null) reject(error);
      else if (admission === undefined)
        reject(new ServiceError('unauthorized', 'The API key is not valid any more: it was revoked.'));
      else if (!admission.isGranted) {
        const details = { retryAfterSeconds: retryAfterSeconds(admission) };
        reject(new ServiceError('rateLimited', rateLimitMessage(admission), details));
      } else resolve(admission);
    });
  });
