import type { Key } from '../../keys/key.js';
import type { PerformOptions } from '../../operations/metered-call.js';
import { ServiceError } from '../../platform/errors.js';
import type { Admission } from '../../usage/rate-limit.js';

const formatCount = (requests: number) => requests.toLocaleString('en-GB');

const left = (limit: number, used: number, window: string) =>
  `${formatCount(Math.max(0, limit - used))} of ${formatCount(limit)} ${limit === 1 ? 'request' : 'requests'} left ${window}`;

/** The requests left, e.g. "4 of 5 requests left this minute, 19 of 20 requests left today (UTC)". */
export function limitsLeft({ limits, minuteRequests, dayRequests }: Admission): string {
  const { perMinute, perDay } = limits;
  const parts = [
    perMinute === null ? undefined : left(perMinute, minuteRequests, 'this minute'),
    perDay === null ? undefined : left(perDay, dayRequests, 'today (UTC)'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'no limit' : parts.join(', ');
}

/** The outcome of one call. Without an admission, the call was not counted. */
export type Attempt<Result> = { readonly admission: Admission | undefined } & (
  | { readonly isDone: true; readonly result: Result }
  | { readonly isDone: false; readonly error: ServiceError }
);

/** Identifies the call in the log, and aborts it when the person leaves the page. */
export type Caller = Pick<PerformOptions, 'signal' | 'requestId'>;

/** Makes a call and catches its rejection, for a page to show. */
export async function attempt<Result>(
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

/** The key that a form names. Throws a ServiceError if it is not one of the person's own. */
export function chosenKey(keys: readonly Key[], sent: string): Key {
  const key = keys.find(({ id }) => String(id) === sent);
  if (key === undefined)
    throw new ServiceError(
      'invalidRequest',
      'Choose one of your own keys that works: it must not be revoked, disabled or ended.',
    );
  return key;
}
