import type { Reservation } from '../capture/fair-queue.js';
import type { KnownKey } from '../keys/key-finder.js';
import { ServiceError } from '../platform/errors.js';
import type { Meter } from '../usage/meter.js';
import { type Admission, rateLimitMessage, retryAfterSeconds } from '../usage/rate-limit.js';
import type { ApiKeyCaller, Reserve } from './operation-handler.js';

/** Gets what the meter said and, where it granted the request, what is held for it. */
type CountedCallback = (
  error: Error | null,
  admission: Admission | undefined,
  reservation?: Reservation,
) => void;

/**
 * The way of every request of interface A to its count: first what its operation needs of the account's share, then the
 * meter. What has no room there is not counted, and what the meter refuses holds nothing.
 */
export function reserveAndCount(
  meter: Meter,
  key: KnownKey,
  reserve: Reserve | undefined,
  done: CountedCallback,
): void {
  if (reserve === undefined) {
    meter.admit(key.id, done);
    return;
  }
  const count = (reservation: Reservation) =>
    meter.admit(key.id, (error, admission) => {
      if (admission?.isGranted === true) done(error, admission, reservation);
      else {
        reservation.release();
        done(error, admission);
      }
    });
  const refuse = (error: Error) => done(error, undefined);
  reserve(key).then(count, refuse);
}

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
