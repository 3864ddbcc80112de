import type { Reservation } from '../capture/slots.js';
import type { KnownKey } from '../keys/key-finder.js';
import type { Admission } from '../usage/admission.js';
import type { Meter } from '../usage/meter.js';
import type { Reserve } from './operation-handler.js';

/** Gets what the meter said and, where it granted the request, what is held for it. */
export type CountedCallback = (
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
