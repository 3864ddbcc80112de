import type { Admission } from '../../usage/rate-limit.js';
import { formatLimitsLeft } from './attempt.js';

const admission: Admission = {
  keyId: 1,
  isGranted: true,
  limits: { perMinute: 5, perDay: 2_000 },
  minuteRequests: 2,
  dayRequests: 7,
  timeMs: Date.UTC(2026, 0, 2, 22, 30, 0),
  day: 0,
  previousAtMs: null,
};

test('says how many requests are left this minute and today if they are limited, or that there is no limit', () => {
  expect(formatLimitsLeft(admission)).toBe(
    '3 of 5 requests left this minute, 1,993 of 2,000 requests left today (UTC)',
  );
  expect(formatLimitsLeft({ ...admission, limits: { perMinute: null, perDay: 20 } })).toBe(
    '13 of 20 requests left today (UTC)',
  );
  expect(formatLimitsLeft({ ...admission, limits: { perMinute: null, perDay: null } })).toBe('no limit');
});

test('if a limit was lowered below the usage, 0 requests are left, not a negative number', () => {
  expect(formatLimitsLeft({ ...admission, limits: { perMinute: 1, perDay: null } })).toBe(
    '0 of 1 request left this minute',
  );
});
