import { MINUTE_MS } from '../../platform/time-units.js';
import { formatTimeLeft } from './time-left.js';

test.each([
  [180 * MINUTE_MS, '3 hours'],
  [180 * MINUTE_MS - 1, '3 hours'],
  [179 * MINUTE_MS, '2 hours 59 minutes'],
  [121 * MINUTE_MS, '2 hours 1 minute'],
  [61 * MINUTE_MS, '1 hour 1 minute'],
  [60 * MINUTE_MS, '1 hour'],
  [59 * MINUTE_MS + 1, '1 hour'],
  [59 * MINUTE_MS, '59 minutes'],
  [MINUTE_MS, '1 minute'],
  [1, '1 minute'],
])('writes %d ms as "%s"', (leftMs, words) => {
  expect(formatTimeLeft(leftMs)).toBe(words);
});

test('returns undefined if no time is left', () => {
  expect(formatTimeLeft(0)).toBeUndefined();
  expect(formatTimeLeft(-1)).toBeUndefined();
});
