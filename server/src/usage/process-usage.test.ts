import { usageStatistics } from '@signpost/contract';
import { ProcessUsage } from './process-usage.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const noonMs = Date.UTC(2026, 0, 2, 12);

test('in a process without keys, counts the calls as for a key without limits', async () => {
  let nowMs = noonMs;
  const usage = new ProcessUsage(() => nowMs);
  const admit = () => usage.admit();
  expect(await admit()).toMatchObject({
    isGranted: true,
    limits: { perMinute: null, perDay: null },
    previousAtMs: null,
  });
  usage.addResponseTime(0, 10);
  nowMs += minuteMs;
  expect(await admit()).toMatchObject({ minuteRequests: 1, dayRequests: 2, previousAtMs: noonMs });
  usage.addResponseTime(0, 30);
  nowMs += dayMs;
  await admit();
  const admission = await admit();
  const statistics = usageStatistics.parse(await usage.read(admission));
  expect(statistics).toMatchObject({
    totalRequests: 4,
    requestsToday: 2,
    requestsThisMinute: 2,
    averageResponseTimeMs: 20,
    lastRequestAt: '2026-01-03T12:01:00.000Z',
  });
  expect(statistics.dailyUsage.slice(-2)).toEqual([
    { date: '2026-01-02', requestCount: 2 },
    { date: '2026-01-03', requestCount: 2 },
  ]);
});
