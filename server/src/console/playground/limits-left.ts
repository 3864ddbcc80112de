import { ServiceError } from '../../service-error.js';
import { waitInWords } from '../../throttle/wait-in-words.js';
import type { Admission } from '../../usage/admission.js';
import { retryAfterSeconds } from '../../usage/rate-limit.js';

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
    `The limit of this key, ${limit}, is used up. Try again in ${waitInWords(seconds)}, at ${until} UTC.`,
    { retryAfterSeconds: seconds },
  );
}
