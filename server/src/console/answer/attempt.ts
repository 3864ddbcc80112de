import type { Key } from '../../keys/key.js';
import type { PerformOptions } from '../../operations/metered-call.js';
import { ServiceError } from '../../platform/errors.js';
import type { Admission } from '../../usage/rate-limit.js';
import { formatCount } from '../layout/formatting.js';

const formatRequestsLeft = (limit: number, used: number, window: string) =>
  `${formatCount(Math.max(0, limit - used))} of ${formatCount(limit)} ${limit === 1 ? 'request' : 'requests'} left ${window}`;

/** The requests left, e.g. "4 of 5 requests left this minute, 19 of 20 requests left today (UTC)", or "no limit". */
export function formatLimitsLeft({ limits, minuteRequests, dayRequests }: Admission): string {
  const { perMinute, perDay } = limits;
  const parts = [
    perMinute === null ? undefined : formatRequestsLeft(perMinute, minuteRequests, 'this minute'),
    perDay === null ? undefined : formatRequestsLeft(perDay, dayRequests, 'today (UTC)'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'no limit' : parts.join(', ');
}

/** A call's result or error. `admission` has the key's usage; undefined if it was not read. */
export type Attempt<Result> = { readonly admission: Admission | undefined } & (
  | { readonly isDone: true; readonly result: Result }
  | { readonly isDone: false; readonly error: ServiceError }
);

/** The id of the call in the log, and the signal that aborts the call. */
export type Caller = Pick<PerformOptions, 'signal' | 'requestId'>;

/** Makes a call. Returns its result, or the ServiceError that it threw, for a page to show. Throws any other error. */
export async function tryCall<Result>(
  caller: Caller,
  call: (options: PerformOptions) => Promise<Result>,
): Promise<Attempt<Result>> {
  const seen: { admission?: Admission } = {};
  const onAdmission = (admission: Admission) => void (seen.admission = admission);
  try {
    const result = await call({ ...caller, onAdmission });
    return { isDone: true, result, admission: seen.admission };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { isDone: false, error, admission: seen.admission };
  }
}

/** The key of this list with the id that a form sent. Throws a ServiceError if the list lacks it. */
export function chosenKey(keys: readonly Key[], keyId: string): Key {
  const key = keys.find(({ id }) => String(id) === keyId);
  if (key === undefined)
    throw new ServiceError(
      'invalidRequest',
      'Choose one of your own keys that works: it must not be revoked, disabled or ended.',
    );
  return key;
}
