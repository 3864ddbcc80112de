import type { Key } from '../../keys/key.js';
import type { ApiKeyCaller, Call, Reserve } from '../../operations/operation-handler.js';
import { reserveAndCount } from '../../operations/reserve-and-count.js';
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

const admit = (meter: Meter, key: Key, reserve: Reserve | undefined) =>
  new Promise<ApiKeyCaller>((resolve, reject) => {
    reserveAndCount(meter, key, reserve, (error, admission, reservation) => {
      if (admission === undefined) reject(error ?? revoked());
      else resolve({ admission, reservation });
    });
  });

function refusal(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/**
 * Does one request as if it came over the API with a key: what it needs held and counted first, its time added at its
 * end. `chooseKey` and `reserve` may refuse; nothing is counted then.
 */
export async function attempt<Result>(
  meter: Meter,
  chooseKey: () => Key,
  signal: AbortSignal,
  work: (call: Call) => Result | Promise<Result>,
  reserve?: Reserve,
): Promise<Attempt<Result>> {
  let caller: ApiKeyCaller;
  try {
    caller = await admit(meter, chooseKey(), reserve);
  } catch (error) {
    return { isDone: false, error: refusal(error), admission: undefined };
  }
  const { admission, reservation } = caller;
  if (!admission.isGranted) return { isDone: false, error: usedUp(admission), admission };
  const startedMs = performance.now();
  try {
    return { isDone: true, result: await work({ ...caller, signal }), admission };
  } catch (error) {
    return { isDone: false, error: refusal(error), admission };
  } finally {
    reservation?.release();
    meter.addResponseTime(admission.keyId, performance.now() - startedMs);
  }
}
