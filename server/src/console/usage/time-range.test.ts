import { formatTimeRange } from './usage-parts.js';

test.each([
  [{ fromMs: 0, toMs: 1 }, 'up to 1 ms'],
  [{ fromMs: 2, toMs: 5 }, '2–5 ms'],
  [{ fromMs: 500, toMs: 1_000 }, '500 ms–1 s'],
  [{ fromMs: 1_000, toMs: 2_000 }, '1–2 s'],
  [{ fromMs: 10_000, toMs: null }, 'over 10 s'],
  [undefined, '–'],
])('the range %j is written as "%s"', (range, words) => {
  expect(formatTimeRange(range)).toBe(words);
});
