/** The calendar windows that limits and statistics count in, all UTC. */

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Whole minutes since the epoch. */
export const minuteOf = (timeMs: number) => Math.floor(timeMs / minuteMs);

/** Whole days since the epoch. */
export const dayOf = (timeMs: number) => Math.floor(timeMs / dayMs);

/** Whole seconds, at least 1, until the calendar minute ends. */
const secondsLeftInMinute = (timeMs: number) => Math.ceil((minuteMs - (timeMs % minuteMs)) / 1000);

/** Whole seconds, at least 1, until the calendar day ends. */
const secondsLeftInDay = (timeMs: number) => Math.ceil((dayMs - (timeMs % dayMs)) / 1000);

/** A day as YYYY-MM-DD. */
export const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

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

/** Seconds after which a refused request can succeed: the end of the window that is used up, the day's first. */
export function retryAfterSeconds({ limits, dayRequests, timeMs }: Admission): number {
  const isDayUsedUp = limits.perDay !== null && dayRequests >= limits.perDay;
  return isDayUsedUp ? secondsLeftInDay(timeMs) : secondsLeftInMinute(timeMs);
}

/** The words of the refusal: which limit, and when to come back. */
export function rateLimitMessage(admission: Admission): string {
  const { limits, dayRequests } = admission;
  const seconds = retryAfterSeconds(admission);
  const used =
    limits.perDay !== null && dayRequests >= limits.perDay
      ? `${limits.perDay} requests per day`
      : `${limits.perMinute} requests per minute`;
  return `The limit of this API key, ${used}, is used up. Try again in ${seconds} seconds.`;
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
