import type { Key } from '../../keys/key.js';
import type { Call } from '../../operations/operation-handler.js';
import { ServiceError } from '../../service-error.js';
import type { Admission } from '../../usage/admission.js';
import type { Meter } from '../../usage/meter.js';
import { usedUp } from './limits-left.js';

/** What became of one request with a key; without an admission it was not even counted. */
export type Attempt<Result> =
  | { readonly isDone: true; readonly result: Result; readonly admission: Admission }
  | { readonly isDone: false; readonly error: ServiceError; readonly admission: Admission | undefined };

const revoked = () =>
  new ServiceError('unauthorized', 'This key has been revoked. Reload the page and choose another.');

const admit = (meter: Meter, keyId: number) =>
  new Promise<Admission>((resolve, reject) => {
    meter.admit(keyId, (error, admission) => {
      if (admission === undefined) reject(error ?? revoked());
      else resolve(admission);
    });
  });

function refusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/**
 * Does one request as if it came over the API with a key: counted first, its time added at its end. `chooseKey` may
 * refuse; nothing is counted then.
 */
export async function attempt<Result>(
  meter: Meter,
  chooseKey: () => Key,
  signal: AbortSignal,
  work: (call: Call) => Result | Promise<Result>,
): Promise<Attempt<Result>> {
  let admission: Admission;
  try {
    admission = await admit(meter, chooseKey().id);
  } catch (error) {
    return { isDone: false, error: refusal(error), admission: undefined };
  }
  if (!admission.isGranted) return { isDone: false, error: usedUp(admission), admission };
  const startedMs = performance.now();
  try {
    return { isDone: true, result: await work({ admission, signal }), admission };
  } catch (error) {
    return { isDone: false, error: refusal(error), admission };
  } finally {
    meter.addResponseTime(admission.keyId, performance.now() - startedMs);
  }
}
