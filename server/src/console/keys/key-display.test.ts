import { formatLimit, formatLimits, formatLimitsChange, limitsDirection } from './key-display.js';

test.each([
  [{ perMinute: 5, perDay: 20 }, '5 per minute, 20 per day'],
  [{ perMinute: 1_000, perDay: null }, '1,000 per minute, unlimited per day'],
  [{ perMinute: null, perDay: 0 }, 'unlimited per minute, 0 per day'],
  [{ perMinute: null, perDay: null }, 'unlimited'],
])('the limits %j are written as "%s"', (limits, words) => {
  expect(formatLimits(limits)).toBe(words);
});

test('a limit of zero and no limit are written differently', () => {
  expect(formatLimit(0)).toBe('0');
  expect(formatLimit(12_345)).toBe('12,345');
  expect(formatLimit(null)).toBe('unlimited');
});

test.each([
  [60, 1_000, 600, 5_000, 'raised', 'goes from 60 to 600 a minute and goes from 1,000 to 5,000 a day'],
  [
    null,
    null,
    60,
    5_000,
    'lowered',
    'goes from unlimited to 60 a minute and goes from unlimited to 5,000 a day',
  ],
  [60, 1_000, 600, 100, 'changed', 'goes from 60 to 600 a minute and goes from 1,000 to 100 a day'],
  [60, null, 60, null, 'unchanged', 'stays at 60 a minute and stays at unlimited a day'],
])(
  'limits of %j a minute and %j a day that become %j and %j are %s: %s',
  (minute, day, newMinute, newDay, direction, words) => {
    const [before, after] = [
      { perMinute: minute, perDay: day },
      { perMinute: newMinute, perDay: newDay },
    ];
    expect(limitsDirection(before, after)).toBe(direction);
    expect(formatLimitsChange(before, after)).toBe(words);
  },
);
