import { formatDuration } from '@signpost/contract';
import type { Key } from '../../keys/key.js';
import { reserveAndCount } from '../../operations/metered-call.js';
import type { ApiKeyCaller, Call, Reserve } from '../../operations/operation-handler.js';
import { ServiceError } from '../../platform/errors.js';
import type { Meter } from '../../usage/meter.js';
import { type Admission, retryAfterSeconds } from '../../usage/rate-limit.js';

const secondMs = 1_000;

const count = (requests: number) => requests.toLocaleString('en-GB');

const left = (limit: number, used: number, window: string) =>
  `${count(Math.max(0, limit - used))} of ${count(limit)} requests left ${window}`;

/** What a key has left after a request, e.g. "4 of 5 requests left this minute, 19 of 20 requests left today (UTC)". */
export function limitsLeft({ limits, minuteRequests, dayRequests }: Admission): string {
  const { perMinute, perDay } = limits;
  const parts = [
    perMinute === null ? undefined : left(perMinute, minuteRequests, 'this minute'),
    perDay === null ? undefined : left(perDay, dayRequests, 'today (UTC)'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'no limit' : parts.join(', ');
}

/** The refusal of a request that was not granted, for people: which limit, how long to wait, and until when. */
export function usedUp(admission: Admission): ServiceError {
  const { limits, dayRequests, timeMs } = admission;
  const { perMinute, perDay } = limits;
  const isDay = perDay !== null && dayRequests >= perDay;
  const limit = isDay ? `${count(perDay)} requests per day` : `${count(perMinute ?? 0)} requests per minute`;
  const seconds = retryAfterSeconds(admission);
  const until = new Date(timeMs + seconds * secondMs).toISOString().slice(11, 16);
  return new ServiceError(
    'rateLimited',
    `The limit of this key, ${limit}, is used up. Try again in ${formatDuration(seconds)}, at ${until} UTC.`,
    { retryAfterSeconds: seconds },
  );
}

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
