import { accountRow } from '../../../test/fixtures/storage/rows.js';
import type { PreparedQueries, Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { countBatchIn, type KeyBatch } from './admission-statement.js';

const unlimited = { perMinute: null, perDay: null };
const defaults = { key: { perMinute: 5, perDay: 20 }, account: unlimited };
const day = 20_000;
const minute = day * 1440;

let database: TestDatabase;
let storage: Storage;
let queries: PreparedQueries;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  queries = await storage.openPreparedQueries();
  const created = { created_at: 0 };
  await storage.db('accounts').insert(accountRow('a', { email: 'a@example.com' }));
  await storage.db('projects').insert({ id: 'p', account_id: 'a', name: 'p', ...created });
  for (const id of [1, 2, 3]) {
    await storage
      .db('api_keys')
      .insert({ id, project_id: 'p', hash: `h${id}`, prefix: `x${id}`, ...created });
  }
});

afterEach(async () => {
  await queries.close();
  await storage.close();
  await database.remove();
});

const asking = (keyId: number, requestCount: number, part: Partial<KeyBatch> = {}): KeyBatch => ({
  keyId,
  requestCount,
  lastAtMs: 1_000,
  timedRequests: 0,
  timedMs: 0,
  ...part,
});

const count = (batch: readonly KeyBatch[], atMinute = minute, atDay = day) =>
  countBatchIn(queries, storage.dialect, defaults)(batch, atDay, atMinute);

test("a key's minute limit applies to a calendar minute, and usage starts again in the next", async () => {
  expect(await count([asking(1, 50)])).toMatchObject([{ granted: 5, requests: 5, minute_requests: 5 }]);
  expect(await count([asking(1, 1)])).toMatchObject([{ granted: 0, requests: 5, minute_requests: 5 }]);
  expect(await count([asking(1, 3)], minute + 1)).toMatchObject([
    { granted: 3, requests: 8, minute_requests: 3 },
  ]);
});

test("a key's daily limit holds across the minutes of a calendar day, and usage starts again the next day", async () => {
  for (let i = 0; i < 4; i += 1) await count([asking(1, 5)], minute + i);
  expect(await count([asking(1, 5)], minute + 4)).toMatchObject([
    { granted: 0, requests: 20, minute_requests: 0 },
  ]);
  expect(await count([asking(1, 5)], minute + 1440, day + 1)).toMatchObject([{ granted: 5, requests: 5 }]);
});

test('servers whose clocks differ slightly at the start of a minute count in the later minute', async () => {
  await count([asking(1, 2)], minute + 10);
  expect(await count([asking(1, 5)], minute + 9)).toMatchObject([{ granted: 3, minute_requests: 5 }]);
  expect(await count([asking(1, 5)], minute + 11)).toMatchObject([{ granted: 5, requests: 10 }]);
});

test('if a clock is set back, the earlier usage of a minute still counts towards its limit', async () => {
  const granted = async (atMinute: number) => (await count([asking(3, 4)], atMinute))[0]?.granted;
  await storage.db('api_keys').where({ id: 3 }).update({ per_day: -1 });
  expect(await granted(minute + 1)).toBe(4);
  expect(await granted(minute + 2)).toBe(4);
  expect(await granted(minute + 60)).toBe(4);
  expect(await granted(minute + 1)).toBe(1);
  expect(await granted(minute + 1)).toBe(0);
  expect(await granted(minute + 2)).toBe(1);
  expect(await granted(minute + 3)).toBe(4);
  expect(await granted(minute + 60)).toBe(1);
  expect(await granted(minute + 61)).toBe(4);
});

test('a clock that crosses midnight and is set back finds the usage of each day unchanged', async () => {
  const lastMinute = minute + 1439;
  expect(await count([asking(1, 4)], lastMinute)).toMatchObject([{ granted: 4, requests: 4 }]);
  expect(await count([asking(1, 4)], lastMinute + 1, day + 1)).toMatchObject([{ granted: 4, requests: 4 }]);
  expect(await count([asking(1, 4)], lastMinute)).toMatchObject([{ granted: 1, requests: 5 }]);
  expect(await count([asking(1, 4)], lastMinute + 1, day + 1)).toMatchObject([{ granted: 1, requests: 5 }]);
});

test("a key's own limits override the default; 0 blocks the key and -1 lifts the limit", async () => {
  await storage.db('api_keys').where({ id: 1 }).update({ per_minute: 2 });
  await storage.db('api_keys').where({ id: 2 }).update({ per_minute: 0 });
  await storage.db('api_keys').where({ id: 3 }).update({ per_minute: -1, per_day: -1 });
  const rows = await count([asking(1, 9), asking(2, 9), asking(3, 900)]);
  expect(rows.map(({ key_id, granted }) => [key_id, granted])).toEqual([
    [1, 2],
    [2, 0],
    [3, 900],
  ]);
});

test('lowering a limit below the current usage admits nothing more, but undoes nothing', async () => {
  await count([asking(1, 5)]);
  await storage.db('api_keys').where({ id: 1 }).update({ per_minute: 3 });
  expect(await count([asking(1, 2)])).toMatchObject([{ granted: 0, requests: 5, per_minute: 3 }]);
});

test('the statement returns no row for unknown keys, revoked keys and keys of a disabled account', async () => {
  await storage.db('api_keys').where({ id: 2 }).update({ revoked_at: 1 });
  expect((await count([asking(1, 1), asking(2, 1), asking(99, 1)])).map(({ key_id }) => key_id)).toEqual([1]);
  await storage.db('accounts').update({ disabled_at: 1 });
  expect(await count([asking(1, 1)])).toEqual([]);
});

test('the statement returns no row for a disabled key, nor for a key after its end', async () => {
  await storage.db('api_keys').where({ id: 2 }).update({ disabled_at: 1 });
  await storage.db('api_keys').where({ id: 3 }).update({ ends_at: 1_000 });
  const admitted = async (lastAtMs: number) =>
    (await count([asking(1, 1), asking(2, 1), asking(3, 1, { lastAtMs })])).map(({ key_id }) => key_id);
  expect(await admitted(999)).toEqual([1, 3]);
  expect(await admitted(1_000)).toEqual([1]);
  await storage.db('api_keys').where({ id: 2 }).update({ disabled_at: null });
  expect(await admitted(1_000)).toEqual([1, 2]);
});

test("returns the time of the key's previous request on the same day, ignoring rejected ones", async () => {
  expect(await count([asking(1, 4, { lastAtMs: 100 })])).toMatchObject([{ previous_at: null }]);
  expect(await count([asking(1, 1, { lastAtMs: 200 })])).toMatchObject([{ previous_at: 100 }]);
  await count([asking(1, 1, { lastAtMs: 300 })]);
  expect(await count([asking(1, 1, { lastAtMs: 400 })], minute + 1)).toMatchObject([{ previous_at: 200 }]);
});

test('adds response times together with requests, and also in a batch without requests', async () => {
  await count([asking(1, 2, { timedRequests: 1, timedMs: 1.5 })]);
  await count([asking(1, 0, { timedRequests: 2, timedMs: 3 })]);
  expect(await storage.db('usage_days').first()).toMatchObject({
    requests: 2,
    timed_requests: 3,
    timed_ms: 4.5,
  });
});

test('batches of several servers on one database share the limits', async () => {
  const others = await storage.openPreparedQueries();
  const countElsewhere = countBatchIn(others, storage.dialect, defaults);
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => count([asking(1, 1)])),
    ...Array.from({ length: 10 }, () => countElsewhere([asking(1, 1)], day, minute)),
  ]);
  expect(answers.flat().reduce((sum, { granted }) => sum + granted, 0)).toBe(5);
  await others.close();
});
