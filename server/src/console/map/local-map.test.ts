import { formatDistance } from '../layout/formatting.js';
import { niceStep } from './local-map.js';

test.each([
  [1, 1],
  [1.9, 1],
  [2, 2],
  [49, 20],
  [50, 50],
  [386, 200],
  [999, 500],
  [1_000, 1_000],
  [9_440, 5_000],
  [0.3, 0.2],
])('the nice step up to %d is %d', (most, step) => {
  expect(niceStep(most)).toBeCloseTo(step, 9);
});

test.each([
  [0, '0 m'],
  [48.3, '48.3 m'],
  [200, '200 m'],
  [1_000, '1 km'],
  [2_346.7, '2.35 km'],
  [20_000, '20 km'],
])('%d metres are written as %s', (metres, words) => {
  expect(formatDistance(metres)).toBe(words);
});
