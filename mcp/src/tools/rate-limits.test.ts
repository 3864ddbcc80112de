import { describeLimits, rateLimitsOf } from './rate-limits.js';

const HEADERS = {
  'ratelimit-policy': '"minute";q=60;w=60, "account-day";q=400;w=86400',
  ratelimit: '"minute";r=12;t=34, "account-day";r=0;t=3600',
};

test('reads the limits and how much is left of each', () => {
  expect(rateLimitsOf(HEADERS)).toEqual([
    { window: 'minute', limit: 60, left: 12, resetSeconds: 34 },
    { window: 'account-day', limit: 400, left: 0, resetSeconds: 3_600 },
  ]);
});

test('describes the limits in one sentence', () => {
  expect(describeLimits(rateLimitsOf(HEADERS))).toBe(
    'Limits: 60 per minute (12 left, new in 34 s), 400 per day for all keys of the account (0 left, new in 3600 s).',
  );
  expect(describeLimits(rateLimitsOf({}))).toBe('Limits: none.');
});
