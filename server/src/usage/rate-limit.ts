import { formatDuration } from '@signpost/contract';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../platform/time-units.js';

/** Whole minutes since the epoch. */
export const minuteOf = (timeMs: number) => Math.floor(timeMs / MINUTE_MS);

/** Whole days since the epoch. */
export const dayOf = (timeMs: number) => Math.floor(timeMs / DAY_MS);

/** Whole seconds, at least 1, until the calendar minute ends. */
const secondsLeftInMinute = (timeMs: number) => Math.ceil((MINUTE_MS - (timeMs % MINUTE_MS)) / SECOND_MS);

/** Whole seconds, at least 1, until the calendar day ends. */
const secondsLeftInDay = (timeMs: number) => Math.ceil((DAY_MS - (timeMs % DAY_MS)) / SECOND_MS);

/** A day as YYYY-MM-DD. */
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Limits of a key or an account in requests per window; null where there is none. */
export interface Limits {
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** Limits and what is used of them. */
export interface Allowance {
  readonly limits: Limits;
  /** Requests of the calendar minute and day so far; a granted one is included. */
  readonly minuteRequests: number;
  readonly dayRequests: number;
}

/** What became of one request at the meter: it was counted, or a limit of its key or account is used up. */
export interface Admission extends Allowance {
  readonly keyId: number;
  readonly isGranted: boolean;
  /** Of all keys of its account together; undefined where the account has no limit. */
  readonly account?: Allowance | undefined;
  /** When the request was counted, and in which day since the epoch. */
  readonly timeMs: number;
  readonly day: number;
  /** When the key's request before this one came that day; null where that was the first. */
  readonly previousAtMs: number | null;
}

interface Window {
  /** What headers call it. */
  readonly name: 'minute' | 'day' | 'account-minute' | 'account-day';
  readonly isOfAccount: boolean;
  readonly unit: 'minute' | 'day';
  readonly limit: number | null;
  readonly used: number;
}

function windowsOf({ limits, minuteRequests, dayRequests, account }: Admission): [Window, ...Window[]] {
  const windows: [Window, ...Window[]] = [
    { name: 'minute', isOfAccount: false, unit: 'minute', limit: limits.perMinute, used: minuteRequests },
    { name: 'day', isOfAccount: false, unit: 'day', limit: limits.perDay, used: dayRequests },
  ];
  if (account === undefined) return windows;
  const { perMinute, perDay } = account.limits;
  windows.push(
    {
      name: 'account-minute',
      isOfAccount: true,
      unit: 'minute',
      limit: perMinute,
      used: account.minuteRequests,
    },
    { name: 'account-day', isOfAccount: true, unit: 'day', limit: perDay, used: account.dayRequests },
  );
  return windows;
}

/** The limit by which a request was refused; of several the one that is used up for longest, a key's first. */
function usedUpWindow(admission: Admission): Window {
  const windows = windowsOf(admission);
  const usedUp = windows.filter(({ limit, used }) => limit !== null && used >= limit);
  return usedUp.find(({ unit }) => unit === 'day') ?? usedUp[0] ?? windows[0];
}

const secondsLeft = ({ unit }: Window, timeMs: number) =>
  unit === 'day' ? secondsLeftInDay(timeMs) : secondsLeftInMinute(timeMs);

const limitSentence = (
  { isOfAccount, limit, unit }: Window,
  key: string,
  format: (limit: number | null) => string,
) =>
  `The limit of ${isOfAccount ? 'this account' : key}, ${format(limit)} requests per ${unit}` +
  `${isOfAccount ? ' of all its keys together' : ''}, is used up.`;

/** Seconds after which a refused request can succeed: the end of the window that is used up, a day's first. */
export const retryAfterSeconds = (admission: Admission): number =>
  secondsLeft(usedUpWindow(admission), admission.timeMs);

/** The words of the refusal for programs: which limit, and when to come back. */
export function rateLimitMessage(admission: Admission): string {
  const sentence = limitSentence(usedUpWindow(admission), 'this API key', String);
  return `${sentence} Try again in ${retryAfterSeconds(admission)} seconds.`;
}

/** The same for people: how long to wait, and until when. */
export function rateLimitMessageForPeople(admission: Admission): string {
  const sentence = limitSentence(usedUpWindow(admission), 'this key', (requests) =>
    (requests ?? 0).toLocaleString('en-GB'),
  );
  const seconds = retryAfterSeconds(admission);
  const until = new Date(admission.timeMs + seconds * SECOND_MS).toISOString().slice(11, 16);
  return `${sentence} Try again in ${formatDuration(seconds)}, at ${until} UTC.`;
}

const SECONDS_OF = { minute: MINUTE_MS / SECOND_MS, day: DAY_MS / SECOND_MS };

/**
 * The RateLimit and RateLimit-Policy header fields of draft-ietf-httpapi-ratelimit-headers-10; a window without a
 * limit is not named, and where there is no limit at all there is neither header.
 */
export function rateLimitHeaders(admission: Admission): { policy: string; state: string } | undefined {
  const policy: string[] = [];
  const state: string[] = [];
  for (const window of windowsOf(admission)) {
    const { name, unit, limit, used } = window;
    if (limit === null) continue;
    policy.push(`"${name}";q=${limit};w=${SECONDS_OF[unit]}`);
    state.push(`"${name}";r=${Math.max(0, limit - used)};t=${secondsLeft(window, admission.timeMs)}`);
  }
  return policy.length === 0 ? undefined : { policy: policy.join(', '), state: state.join(', ') };
}
