import type { KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../service-error.js';
import type { Meter } from '../usage/meter.js';
import { rateLimitMessage, retryAfterSeconds } from '../usage/rate-limit.js';
import type { ApiKeyCaller, Reserve } from './operation-handler.js';
import { reserveAndCount } from './reserve-and-count.js';

/**
 * Counts one call of a key, as a request to interface A is counted. Throws a ServiceError where the account has no room
 * for it, the key has been revoked, or its limit is used up.
 */
export const admitCall = (meter: Meter, key: KnownKey, reserve: Reserve | undefined): Promise<ApiKeyCaller> =>
  new Promise((resolve, reject) => {
    reserveAndCount(meter, key, reserve, (error, admission, reservation) => {
      if (error !== null) reject(error);
      else if (admission === undefined)
        reject(new ServiceError('unauthorized', 'The API key is not valid any more: it was revoked.'));
      else if (!admission.isGranted) {
        const details = { retryAfterSeconds: retryAfterSeconds(admission) };
        reject(new ServiceError('rateLimited', rateLimitMessage(admission), details));
      } else resolve({ admission, reservation });
    });
  });
