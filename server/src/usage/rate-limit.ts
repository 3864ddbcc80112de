import { formatDuration } from '@signpost/contract';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MS_PER_SECOND = 1_000;

/** Whole minutes since the epoch. */
export const minuteOf = (timeMs: number) => Math.floor(timeMs / MINUTE_MS);

/** Whole days since the epoch. */
export const dayOf = (timeMs: number) => Math.floor(timeMs / DAY_MS);

/** Whole seconds, at least 1, until the calendar minute ends. */
const secondsLeftInMinute = (timeMs: number) => Math.ceil((MINUTE_MS - (timeMs % MINUTE_MS)) / MS_PER_SECOND);

/** Whole seconds, at least 1, until the calendar day ends. */
const secondsLeftInDay = (timeMs: number) => Math.ceil((DAY_MS - (timeMs % DAY_MS)) / MS_PER_SECOND);

/** A day as YYYY-MM-DD. */
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Limits of a key in requests per window; null where there is none. */
export interface Limits {
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** What became of one request at the meter: it was counted, or its key's limit is used up. */
export interface Admission {
  readonly keyId: number;
  readonly isGranted: boolean;
  readonly limits: Limits;
  /** Requests of the calendar minute and day so far; a granted one is included. */
  readonly minuteRequests: number;
  readonly dayRequests: number;
  /** When the request was counted, and in which day since the epoch. */
  readonly timeMs: number;
  readonly day: number;
  /** When the key's request before this one came that day; null where that was the first. */
  readonly previousAtMs: number | null;
}

const isDayUsedUp = ({ limits, dayRequests }: Admission) =>
  limits.perDay !== null && dayRequests >= limits.perDay;

const usedUpLimit = (admission: Admission, format: (limit: number | null) => string) =>
  isDayUsedUp(admission)
    ? `${format(admission.limits.perDay)} requests per day`
    : `${format(admission.limits.perMinute)} requests per minute`;

/** Seconds after which a refused request can succeed: the end of the window that is used up, the day's first. */
export const retryAfterSeconds = (admission: Admission): number =>
  isDayUsedUp(admission) ? secondsLeftInDay(admission.timeMs) : secondsLeftInMinute(admission.timeMs);

/** The words of the refusal for programs: which limit, and when to come back. */
export function rateLimitMessage(admission: Admission): string {
  const limit = usedUpLimit(admission, String);
  return `The limit of this API key, ${limit}, is used up. Try again in ${retryAfterSeconds(admission)} seconds.`;
}

/** The same for people: how long to wait, and until when. */
export function rateLimitMessageForPeople(admission: Admission): string {
  const limit = usedUpLimit(admission, (requests) => (requests ?? 0).toLocaleString('en-GB'));
  const seconds = retryAfterSeconds(admission);
  const until = new Date(admission.timeMs + seconds * MS_PER_SECOND).toISOString().slice(11, 16);
  return `The limit of this key, ${limit}, is used up. Try again in ${formatDuration(seconds)}, at ${until} UTC.`;
}

interface Window {
  readonly name: 'minute' | 'day';
  readonly limit: number | null;
  readonly used: number;
  readonly seconds: number;
  readonly secondsLeft: number;
}

const windowsOf = ({ limits, minuteRequests, dayRequests, timeMs }: Admission): readonly Window[] => [
  {
    name: 'minute',
    limit: limits.perMinute,
    used: minuteRequests,
    seconds: 60,
    secondsLeft: secondsLeftInMinute(timeMs),
  },
  {
    name: 'day',
    limit: limits.perDay,
    used: dayRequests,
    seconds: 86_400,
    secondsLeft: secondsLeftInDay(timeMs),
  },
];

/**
 * The RateLimit and RateLimit-Policy header fields of draft-ietf-httpapi-ratelimit-headers-10; a window without a
 * limit is not named, and a key without any gets neither header.
 */
export function rateLimitHeaders(admission: Admission): { policy: string; state: string } | undefined {
  const { perMinute, perDay } = admission.limits;
  if (perMinute === null && perDay === null) return undefined;
  const policy: string[] = [];
  const state: string[] = [];
  for (const { name, limit, used, seconds, secondsLeft } of windowsOf(admission)) {
    if (limit === null) continue;
    policy.push(`"${name}";q=${limit};w=${seconds}`);
    state.push(`"${name}";r=${Math.max(0, limit - used)};t=${secondsLeft}`);
  }
  return { policy: policy.join(', '), state: state.join(', ') };
}
