import { type Admission, dayOf } from './rate-limit.js';
import { usageStatistics, type UsageDay } from './usage-statistics.js';

const now = Date.UTC(2026, 2, 1, 9, 30);
const today = dayOf(now);
const admission: Admission = {
  keyId: 1,
  isGranted: true,
  limits: { perMinute: 5, perDay: 20 },
  minuteRequests: 2,
  dayRequests: 4,
  timeMs: now,
  day: today,
  previousAtMs: now - 1000,
};
const day = (part: Partial<UsageDay>): UsageDay => ({
  day: today,
  requests: 4,
  last_at: now,
  timed_requests: 3,
  timed_ms: 6,
  ...part,
});

test('dailyUsage lists the last 30 days, oldest first, with 0 for days without requests', () => {
  const { dailyUsage } = usageStatistics(admission, [
    day({}),
    day({ day: today - 29, requests: 9 }),
    day({ day: today - 30, requests: 5 }),
  ]);
  expect(dailyUsage).toHaveLength(30);
  expect(dailyUsage[0]).toEqual({ date: '2026-01-31', requestCount: 9 });
  expect(dailyUsage[1]).toEqual({ date: '2026-02-01', requestCount: 0 });
  expect(dailyUsage[29]).toEqual({ date: '2026-03-01', requestCount: 4 });
});

test('totalRequests includes days before the listed ones', () => {
  expect(usageStatistics(admission, [day({}), day({ day: today - 400, requests: 100 })]).totalRequests).toBe(
    104,
  );
});

test('lastRequestAt is the time of the previous request, even if that was on an earlier day', () => {
  expect(usageStatistics(admission, [day({})]).lastRequestAt).toBe('2026-03-01T09:29:59.000Z');
  const first = { ...admission, previousAtMs: null, dayRequests: 1 };
  const yesterday = Date.UTC(2026, 1, 28, 23);
  expect(usageStatistics(first, [day({}), day({ day: today - 1, last_at: yesterday })]).lastRequestAt).toBe(
    '2026-02-28T23:00:00.000Z',
  );
});

test("for a key's very first request, lastRequestAt is the time of that request and the average is 0", () => {
  const first = { ...admission, previousAtMs: null, dayRequests: 1, minuteRequests: 1 };
  expect(usageStatistics(first, [day({ requests: 1, timed_requests: 0, timed_ms: 0 })])).toMatchObject({
    totalRequests: 1,
    averageResponseTimeMs: 0,
    lastRequestAt: '2026-03-01T09:30:00.000Z',
  });
});

test('averageResponseTimeMs is the average over all responses on all days', () => {
  const days = [day({}), day({ day: today - 3, timed_requests: 1, timed_ms: 10 })];
  expect(usageStatistics(admission, days).averageResponseTimeMs).toBe(4);
});

test('the statistics do not include requests that are counted while they are read', () => {
  expect(usageStatistics(admission, [day({ requests: 11 })])).toMatchObject({
    requestsToday: 4,
    totalRequests: 4,
  });
});
