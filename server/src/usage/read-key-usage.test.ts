import { accountRow } from '../../../test/fixtures/storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { dayOf, minuteOf } from './rate-limit.js';
import {
  effectiveLimits,
  readKeyUsage,
  readOverallUsage,
  readUsageOfAccount,
  remainingLimits,
} from './read-key-usage.js';

const minuteMs = 60_000;
const nowMs = Date.UTC(2026, 2, 1, 9, 30);
const today = dayOf(nowMs);
const day = {
  key_id: 1,
  day: today,
  requests: 4,
  minute: minuteOf(nowMs),
  minute_requests: 2,
  granted: 1,
  per_minute: 5,
  per_day: 20,
  last_at: nowMs,
  timed_requests: 3,
  timed_ms: 6,
};
let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const store = (...days: object[]) => storage.db('usage_days').insert(days);

test("a key's usage is that of its own requests, on all days, and reading it counts no request", async () => {
  await store(
    day,
    { ...day, day: today - 29, requests: 9, timed_requests: 1, timed_ms: 4, last_at: 1 },
    { ...day, day: today - 400, requests: 100, timed_requests: 0, timed_ms: 0, last_at: null },
    { ...day, key_id: 2, requests: 1_000 },
  );
  await readKeyUsage(storage.db, 1, nowMs);
  const { dailyUsage, ...figures } = await readKeyUsage(storage.db, 1, nowMs);
  expect(figures).toEqual({
    totalRequests: 113,
    requestsToday: 4,
    requestsThisMinute: 2,
    averageResponseTimeMs: 2.5,
    lastRequestAtMs: nowMs,
  });
  expect(dailyUsage).toHaveLength(30);
  expect(dailyUsage[0]).toEqual({ date: '2026-01-31', requestCount: 9 });
  expect(dailyUsage[1]).toEqual({ date: '2026-02-01', requestCount: 0 });
  expect(dailyUsage[29]).toEqual({ date: '2026-03-01', requestCount: 4 });
});

test('requests of an earlier minute or day do not count in the current one', async () => {
  await store(day);
  expect(await readKeyUsage(storage.db, 1, nowMs + minuteMs)).toMatchObject({
    requestsToday: 4,
    requestsThisMinute: 0,
  });
  expect(await readKeyUsage(storage.db, 1, nowMs + 24 * 60 * minuteMs)).toMatchObject({
    totalRequests: 4,
    requestsToday: 0,
    requestsThisMinute: 0,
    lastRequestAtMs: nowMs,
  });
});

test('a key without any request has the figures 0 and null', async () => {
  const { dailyUsage, ...figures } = await readKeyUsage(storage.db, 1, nowMs);
  expect(figures).toEqual({
    totalRequests: 0,
    requestsToday: 0,
    requestsThisMinute: 0,
    averageResponseTimeMs: 0,
    lastRequestAtMs: null,
  });
  expect(new Set(dailyUsage.map(({ requestCount }) => requestCount))).toEqual(new Set([0]));
});

test('the usage of all keys together is their sum, and keys with a request today count as active', async () => {
  await store(
    day,
    { ...day, key_id: 2, requests: 10, last_at: nowMs - 5, timed_requests: 1, timed_ms: 14 },
    { ...day, key_id: 3, requests: 0, minute_requests: 0, last_at: null, timed_requests: 0, timed_ms: 0 },
    { ...day, key_id: 4, day: today - 1, minute: 1, requests: 7, last_at: 1 },
  );
  const { dailyUsage, ...figures } = await readOverallUsage(storage.db, nowMs);
  expect(figures).toEqual({
    totalRequests: 21,
    requestsToday: 14,
    requestsThisMinute: 4,
    averageResponseTimeMs: 3.714,
    lastRequestAtMs: nowMs,
    activeKeys: 2,
  });
  expect(dailyUsage.slice(-2).map(({ requestCount }) => requestCount)).toEqual([7, 14]);
});

test('the usage of a server that was never used is 0, without a last request', async () => {
  expect(await readOverallUsage(storage.db, nowMs)).toMatchObject({
    totalRequests: 0,
    activeKeys: 0,
    lastRequestAtMs: null,
  });
});

describe('the usage of an account with several keys', () => {
  let usage: Awaited<ReturnType<typeof readUsageOfAccount>>;
  let queries: number;

  beforeEach(async () => {
    await storage.db('accounts').insert([accountRow('acc_1'), accountRow('acc_2')]);
    await storage.db('projects').insert([
      { id: 'prj_1', account_id: 'acc_1', name: 'Map', created_at: 0 },
      { id: 'prj_2', account_id: 'acc_1', name: 'Atlas', created_at: 0 },
      { id: 'prj_3', account_id: 'acc_2', name: 'Map', created_at: 0 },
    ]);
    const projects = ['prj_1', 'prj_2', 'prj_2', 'prj_3'];
    await storage
      .db('api_keys')
      .insert(
        projects.map((project_id, index) => ({ project_id, hash: String(index), prefix: '', created_at: 0 })),
      );
    await storage.db('api_keys').where({ id: 3 }).update({ revoked_at: 1 });
    await store(
      day,
      { ...day, key_id: 2, requests: 10 },
      { ...day, key_id: 3, day: today - 29, requests: 7 },
      { ...day, key_id: 2, day: today - 29, requests: 1 },
      { ...day, key_id: 2, day: today - 30, requests: 500 },
      { ...day, key_id: 4, requests: 1_000 },
    );
    queries = 0;
    storage.db.on('query', () => (queries += 1));
    usage = await readUsageOfAccount(storage.db, 'acc_1', nowMs);
  });

  test('reading the usage of an account takes two queries', () => {
    expect(queries).toBe(2);
  });

  test('the usage of an account has the requests of each of its keys today', () => {
    expect(Object.fromEntries(usage.requestsTodayOf)).toEqual({ 1: 4, 2: 10 });
  });

  test('the usage of an account has the daily sums of its keys for 30 days, revoked keys included', () => {
    expect(usage.dailyUsage).toHaveLength(30);
    expect(usage.dailyUsage[0]).toEqual({ date: '2026-01-31', requestCount: 8 });
    expect(usage.dailyUsage[29]).toEqual({ date: '2026-03-01', requestCount: 14 });
  });
});

test('an account without requests has 30 days with none', async () => {
  const { requestsTodayOf, dailyUsage } = await readUsageOfAccount(storage.db, 'acc_3', nowMs);
  expect(requestsTodayOf.size).toBe(0);
  expect(dailyUsage.map(({ requestCount }) => requestCount)).toEqual(Array(30).fill(0));
});

test("a key's own limits override the server's, including unlimited and 0", () => {
  const defaults = { perMinute: 5, perDay: null };
  expect(effectiveLimits({ perMinute: 'default', perDay: 'default' }, defaults)).toEqual(defaults);
  expect(effectiveLimits({ perMinute: 'unlimited', perDay: 0 }, defaults)).toEqual({
    perMinute: null,
    perDay: 0,
  });
});

test('the remainder of a limit is never below 0, and null if unlimited', () => {
  const usage = { requestsThisMinute: 4, requestsToday: 30 };
  expect(remainingLimits({ perMinute: 5, perDay: 20 }, usage)).toEqual({ perMinute: 1, perDay: 0 });
  expect(remainingLimits({ perMinute: null, perDay: null }, usage)).toEqual({
    perMinute: null,
    perDay: null,
  });
});
