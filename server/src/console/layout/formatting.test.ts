import { formatDistance } from './formatting.js';

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
