import { formatRemaining, formatLimits } from './key-display.js';

test.each([
  [{ perMinute: 5, perDay: 20 }, '5 per minute, 20 per day'],
  [{ perMinute: 1_000, perDay: null }, '1,000 per minute, unlimited per day'],
  [{ perMinute: null, perDay: 0 }, 'unlimited per minute, 0 per day'],
  [{ perMinute: null, perDay: null }, 'unlimited'],
])('the limits %j are written as "%s"', (limits, words) => {
  expect(formatLimits(limits)).toBe(words);
});

test('zero requests left and no limit are written differently', () => {
  expect(formatRemaining(0)).toBe('0');
  expect(formatRemaining(12_345)).toBe('12,345');
  expect(formatRemaining(null)).toBe('unlimited');
});
