import { formatRequestCount, usageSummary } from './usage-summary.js';

const days = (...counts: readonly number[]) =>
  counts.map((requestCount, index) => ({ date: `2026-03-0${index + 1}`, requestCount }));

test('the summary names the total, the period and the busiest day', () => {
  expect(usageSummary(days(2, 0, 1_200, 5))).toBe(
    '1,207 requests from 1 Mar 2026 to 4 Mar 2026 (UTC), on 3 of 4 days; the most, 1,200, on 3 Mar 2026.',
  );
});

test('the summary names the first of equally busy days', () => {
  expect(usageSummary(days(0, 7, 7))).toContain('the most, 7, on 2 Mar 2026.');
});

test('if only one day had requests, the summary says that all were on that day', () => {
  expect(usageSummary(days(0, 1, 0))).toBe(
    '1 request from 1 Mar 2026 to 3 Mar 2026 (UTC), all on 2 Mar 2026.',
  );
});

test('the summary of a period without requests says that there were none', () => {
  expect(usageSummary(days(0, 0))).toBe('no requests from 1 Mar 2026 to 2 Mar 2026 (UTC).');
});

test.each([
  [0, 'no requests'],
  [1, '1 request'],
  [12_345, '12,345 requests'],
])('%i requests are written as "%s"', (count, words) => {
  expect(formatRequestCount(count)).toBe(words);
});
