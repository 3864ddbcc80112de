import {
  type Admission,
  type Allowance,
  rateLimitHeaders,
  rateLimitMessage,
  rateLimitMessageForPeople,
  retryAfterSeconds,
} from './rate-limit.js';

const noon = Date.UTC(2026, 0, 15, 12, 0, 30);
const admission = (part: Partial<Admission>): Admission => ({
  keyId: 1,
  isGranted: false,
  limits: { perMinute: 5, perDay: 20 },
  minuteRequests: 5,
  dayRequests: 5,
  timeMs: noon,
  day: 20_468,
  previousAtMs: null,
  ...part,
});

test('if the minute is used up, Retry-After leads to the end of the minute', () => {
  expect(retryAfterSeconds(admission({}))).toBe(30);
  expect(rateLimitMessage(admission({}))).toBe(
    'The limit of this API key, 5 requests per minute, is used up. Try again in 30 seconds.',
  );
});

test('if the day is used up, Retry-After leads to midnight UTC', () => {
  const day = admission({ dayRequests: 20, minuteRequests: 1 });
  expect(retryAfterSeconds(day)).toBe(12 * 3600 - 30);
  expect(rateLimitMessage(day)).toContain('20 requests per day');
});

test('messages for people say how long to wait and until when', () => {
  expect(rateLimitMessageForPeople(admission({}))).toBe(
    'The limit of this key, 5 requests per minute, is used up. Try again in 30 seconds, at 12:01 UTC.',
  );
  const timeMs = Date.UTC(2026, 0, 15, 22, 30, 0);
  const day = admission({ limits: { perMinute: 5, perDay: 2_000 }, dayRequests: 2_000, timeMs });
  expect(rateLimitMessageForPeople(day)).toBe(
    'The limit of this key, 2,000 requests per day, is used up. Try again in 90 minutes, at 00:00 UTC.',
  );
  expect(retryAfterSeconds(day)).toBe(5_400);
});

test('Retry-After is 1 a millisecond before the end of the minute', () => {
  expect(retryAfterSeconds(admission({ timeMs: noon + 29_999 }))).toBe(1);
});

test('the rate limit headers name both windows, what is left, and when each resets', () => {
  expect(rateLimitHeaders(admission({ minuteRequests: 2, dayRequests: 7 }))).toEqual({
    policy: '"minute";q=5;w=60, "day";q=20;w=86400',
    state: '"minute";r=3;t=30, "day";r=13;t=43170',
  });
});

test('the rate limit headers leave out a window without a limit, and are missing for a key without limits', () => {
  expect(rateLimitHeaders(admission({ limits: { perMinute: null, perDay: 20 } }))?.policy).toBe(
    '"day";q=20;w=86400',
  );
  expect(rateLimitHeaders(admission({ limits: { perMinute: null, perDay: null } }))).toBeUndefined();
});

const ofAccount = (part: Partial<Allowance>): Partial<Admission> => ({
  minuteRequests: 1,
  account: { limits: { perMinute: 50, perDay: 400 }, minuteRequests: 12, dayRequests: 120, ...part },
});

test.each([
  [{ minuteRequests: 50 }, '50 requests per minute', 30],
  [{ dayRequests: 400 }, '400 requests per day', 12 * 3600 - 30],
])(
  "if the account's usage is %j, the rejection names the account's limit and how long to wait",
  (part, limit, seconds) => {
    const refused = admission(ofAccount(part));
    expect(retryAfterSeconds(refused)).toBe(seconds);
    expect(rateLimitMessage(refused)).toBe(
      `The limit of this account, ${limit} of all its keys together, is used up. Try again in ${seconds} seconds.`,
    );
    expect(rateLimitMessageForPeople(refused)).toContain(
      `The limit of this account, ${limit} of all its keys`,
    );
  },
);

test('if several limits are used up, the message names the one that stays so for longest, or of two equally long ones that of the key', () => {
  const minuteOfKey = admission({ ...ofAccount({ dayRequests: 400 }), minuteRequests: 5 });
  expect(rateLimitMessage(minuteOfKey)).toContain('this account, 400 requests per day');
  const bothDays = admission({ ...ofAccount({ dayRequests: 400 }), dayRequests: 20 });
  expect(rateLimitMessage(bothDays)).toContain('this API key, 20 requests per day');
});

test("the rate limit headers name the account's windows beside the key's, if the account has limits", () => {
  expect(rateLimitHeaders(admission(ofAccount({})))).toEqual({
    policy: '"minute";q=5;w=60, "day";q=20;w=86400, "account-minute";q=50;w=60, "account-day";q=400;w=86400',
    state: '"minute";r=4;t=30, "day";r=15;t=43170, "account-minute";r=38;t=30, "account-day";r=280;t=43170',
  });
  const dayAlone = ofAccount({ limits: { perMinute: null, perDay: 400 } });
  const unlimitedKey = admission({ ...dayAlone, limits: { perMinute: null, perDay: null } });
  expect(rateLimitHeaders(unlimitedKey)?.policy).toBe('"account-day";q=400;w=86400');
});
