import { sumDailyUsage } from './sum-daily-usage.js';

const nowMs = Date.UTC(2026, 2, 1, 23, 59);

test('the requests of all keys are added day by day', () => {
  const sum = sumDailyUsage(
    [
      [
        { date: '2026-02-28', requestCount: 3 },
        { date: '2026-03-01', requestCount: 1 },
      ],
      [
        { date: '2026-02-28', requestCount: 40 },
        { date: '2026-03-01', requestCount: 0 },
      ],
    ],
    nowMs,
  );
  expect(sum.slice(-3)).toEqual([
    { date: '2026-02-27', requestCount: 0 },
    { date: '2026-02-28', requestCount: 43 },
    { date: '2026-03-01', requestCount: 1 },
  ]);
});

test('without keys there are thirty days without requests, the last of them today', () => {
  const sum = sumDailyUsage([], nowMs);
  expect(sum).toHaveLength(30);
  expect(sum[0]).toEqual({ date: '2026-01-31', requestCount: 0 });
  expect(sum[29]).toEqual({ date: '2026-03-01', requestCount: 0 });
});
