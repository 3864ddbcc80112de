import { formatRequestCount, usageSummary } from './usage-summary.js';

const days = (...counts: readonly number[]) =>
  counts.map((requestCount, index) => ({ date: `2026-03-0${index + 1}`, requestCount }));

test('the summary says how much, when, and which day was the busiest', () => {
  expect(usageSummary(days(2, 0, 1_200, 5))).toBe(
    '1,207 requests from 1 Mar 2026 to 4 Mar 2026 (UTC), on 3 of 4 days; the most, 1,200, on 3 Mar 2026.',
  );
});

test('of equally busy days the summary names the first', () => {
  expect(usageSummary(days(0, 7, 7))).toContain('the most, 7, on 2 Mar 2026.');
});

test('a single busy day is all there is to say', () => {
  expect(usageSummary(days(0, 1, 0))).toBe(
    '1 request from 1 Mar 2026 to 3 Mar 2026 (UTC), all on 2 Mar 2026.',
  );
});

test('days without requests are said to be so', () => {
  expect(usageSummary(days(0, 0))).toBe('no requests from 1 Mar 2026 to 2 Mar 2026 (UTC).');
});

test.each([
  [0, 'no requests'],
  [1, '1 request'],
  [12_345, '12,345 requests'],
])('%i is %s', (count, words) => {
  expect(formatRequestCount(count)).toBe(words);
});
