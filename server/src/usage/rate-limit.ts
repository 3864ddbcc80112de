import { formatDuration } from '@signpost/contract';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../platform/time-units.js';

/** Whole minutes since the epoch. */
export const minuteOf = (timeMs: number) => Math.floor(timeMs / MINUTE_MS);

/** Whole days since the epoch. */
export const dayOf = (timeMs: number) => Math.floor(timeMs / DAY_MS);

/** Whole seconds, at least 1, until the calendar minute ends. */
const secondsLeftInMinute = (timeMs: number) => Math.ceil((MINUTE_MS - (timeMs % MINUTE_MS)) / SECOND_MS);

/** Whole seconds, at least 1, until the calendar day ends in UTC. */
const secondsLeftInDay = (timeMs: number) => Math.ceil((DAY_MS - (timeMs % DAY_MS)) / SECOND_MS);

/** A day as YYYY-MM-DD. */
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Limits of a key or an account in requests per window; null if unlimited. */
export interface Limits {
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** Limits and their usage. */
export interface Allowance {
  readonly limits: Limits;
  /** Requests so far in the calendar minute, including the current one if it was admitted. */
  readonly minuteRequests: number;
  /** Requests so far in the calendar day, including the current one if it was admitted. */
  readonly dayRequests: number;
}

/**
 * The meter's result for one request, which was counted, or rejected because a limit of its key or account is used up.
 * Also the result of reading the usage without a request.
 */
export interface Admission extends Allowance {
  readonly keyId: number;
  readonly isGranted: boolean;
  /** For all keys of the account together; undefined if the account has no limit. */
  readonly account?: Allowance | undefined;
  /** When the request was counted or rejected, or the usage was read. */
  readonly timeMs: number;
  /** The day of `timeMs`, counted since the epoch. */
  readonly day: number;
  /**
   * When the key's previous admitted request on that day arrived. If that was in an earlier batch, the time is that of
   * the key's first request in that batch. Null if there was none. Only right if this request was admitted.
   */
  readonly previousAtMs: number | null;
}

interface Window {
  /** The name of the window in the headers. */
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

/**
 * The limit that rejected a request. If several are used up, a limit per day goes before one per minute, and then the
 * key's limit before its account's.
 */
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
  `The limit of ${isOfAccount ? 'this account' : key}, ${format(limit)} ${limit === 1 ? 'request' : 'requests'} per ${unit}` +
  `${isOfAccount ? ' of all its keys together' : ''}, is used up.`;

/** Seconds until a rejected request can be admitted: to the end of the window that `usedUpWindow` returns. */
export const retryAfterSeconds = (admission: Admission): number =>
  secondsLeft(usedUpWindow(admission), admission.timeMs);

/** The message of a rejection: which limit is used up, and after how many seconds to try again. */
export function rateLimitMessage(admission: Admission): string {
  const sentence = limitSentence(usedUpWindow(admission), 'this API key', String);
  return `${sentence} Try again in ${retryAfterSeconds(admission)} seconds.`;
}

/** Like `rateLimitMessage`, but with formatted numbers, and with the time of day at which to try again. */
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
 * The values of the header fields RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers-10. Windows
 * without a limit are left out; undefined if there is no limit at all.
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
