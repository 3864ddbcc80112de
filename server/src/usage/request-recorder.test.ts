import { DAY_MS, MINUTE_MS } from '../platform/time-units.js';
import type { PreparedQueries, Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { addOwnersAndKeys, ended } from '../../../test/fixtures/usage/recorded-requests.js';
import { createRequestHistory } from './read-counts.js';
import { COUNT_SORTS, type CountSort } from './read-top.js';
import { countedRequests } from './sum-counts.js';
import { RequestRecorder } from './request-recorder.js';
import type { FinishedRequest } from './recorded-request.js';
import { removeOldUsage } from './usage-history.js';

const START_MS = Date.UTC(2026, 2, 1, 9, 30);
let database: TestDatabase;
let storage: Storage;
let queries: PreparedQueries;
let nowMs: number;

const recorderOn = (to: Pick<PreparedQueries, 'all'>, random = 7) =>
  new RequestRecorder({
    queries: to,
    dialect: storage.dialect,
    clock: () => nowMs,
    randomBytes: (count) => Buffer.alloc(count, random),
    onFailure: (error) => {
      throw error;
    },
  });

const history = () =>
  createRequestHistory({ db: storage.db, clock: () => nowMs, flush: () => Promise.resolve() });

beforeEach(async () => {
  nowMs = START_MS;
  database = await createTestDatabase();
  storage = await database.open();
  await addOwnersAndKeys(storage.db);
  queries = await storage.openPreparedQueries();
});

afterEach(async () => {
  await queries.close();
  await storage.close();
  await database.remove();
});

test('counts requests by outcome for minutes, hours and days; totals leave out rejected requests', async () => {
  const recorder = recorderOn(queries);
  recorder.record(ended());
  recorder.record(ended({ status: 404 }));
  recorder.record(ended({ status: 503, operation: 'capturePdf' }));
  recorder.record(ended({ status: 429, isCounted: false }));
  await recorder.flush();
  nowMs += MINUTE_MS;
  recorder.record(ended());
  await recorder.flush();
  const counts = { '2xx': 2, '4xx': 1, '5xx': 1, refused: 1 };
  for (const period of ['hour', 'day', 'month', 'quarter'] as const) {
    const { all } = await history().ofPeriod(period, {});
    expect([period, all.requests, countedRequests(all)]).toEqual([period, counts, 4]);
  }
  const { all, operations, spans } = await history().ofPeriod('minute', {});
  expect(all.requests).toEqual({ '2xx': 1, '4xx': 0, '5xx': 0, refused: 0 });
  expect(operations.map(({ operation }) => operation)).toEqual(['lookupPostcode']);
  expect(spans).toHaveLength(1);
});

/** Records 4 requests of Ada's two keys, and 9 rejected requests of Bob's key. */
async function recordRequestsOfThreeKeys() {
  const recorder = recorderOn(queries);
  recorder.record(ended());
  for (let count = 0; count < 3; count += 1)
    recorder.record(ended({ keyId: 2, operation: 'validatePostcode' }));
  for (let count = 0; count < 9; count += 1)
    recorder.record(ended({ keyId: 3, status: 429, isCounted: false }));
  await recorder.flush();
}

test('filters usage by account, project, key and operation', async () => {
  await recordRequestsOfThreeKeys();
  const total = async (filter: object) => countedRequests((await history().ofPeriod('hour', filter)).all);
  expect(await total({})).toBe(4);
  expect(await total({ accountId: 'acc_ada' })).toBe(4);
  expect(await total({ accountId: 'acc_bob' })).toBe(0);
  expect(await total({ projectId: 'prj_ada' })).toBe(4);
  expect(await total({ projectId: 'prj_bob' })).toBe(0);
  expect(await total({ projectId: 'prj_ada', accountId: 'acc_bob' })).toBe(0);
  expect(await total({ keyId: 2 })).toBe(3);
  expect(await total({ operation: 'lookupPostcode' })).toBe(1);
});

test('lists the keys and accounts with the most requests first, rejected ones included', async () => {
  await recordRequestsOfThreeKeys();
  const { keys: top, accounts } = await history().ofPeriod('hour', {});
  expect(top.map(({ prefix, email }) => `${prefix} ${email}`)).toEqual([
    'sp_live_c bob@example.org',
    'sp_live_b ada@example.org',
    'sp_live_a ada@example.org',
  ]);
  expect(accounts.map(({ email, counts }) => [email, counts.requests.refused])).toEqual([
    ['bob@example.org', 9],
    ['ada@example.org', 0],
  ]);
});

describe('the keys and accounts with the most requests', () => {
  beforeEach(async () => {
    const recorder = recorderOn(queries);
    const record = (count: number, more: Partial<FinishedRequest>) => {
      for (let one = 0; one < count; one += 1) recorder.record(ended(more));
    };
    record(3, { keyId: 1 });
    record(2, { keyId: 2, status: 404 });
    record(1, { keyId: 2, status: 500 });
    record(1, { keyId: 3, status: 404 });
    record(9, { keyId: 3, status: 429, isCounted: false });
    await recorder.flush();
  });

  const top = (by: CountSort['by'], isDescending = true, keysOffset = 0, accountsOffset = 0) =>
    history().ofPeriod('hour', {}, { sort: { by, isDescending }, keysOffset, accountsOffset });

  test.each<[CountSort['by'], boolean, readonly number[]]>([
    ['most', true, [3, 1, 2]],
    ['requests', true, [1, 2, 3]],
    ['requests', false, [3, 1, 2]],
    ['wrong', true, [2, 3, 1]],
    ['failed', true, [2, 1, 3]],
    ['refused', true, [3, 1, 2]],
  ])('keys are sorted by %s (descending: %j)', async (by, isDescending, keyIds) => {
    expect((await top(by, isDescending)).keys.map(({ keyId }) => keyId)).toEqual(keyIds);
  });

  test('a page of keys comes with the number of all keys and accounts', async () => {
    const { keys, keyTotal, accounts, accountTotal } = await top('most', true, 2);
    expect([keys.map(({ keyId }) => keyId), keyTotal, accountTotal]).toEqual([[2], 3, 2]);
    expect(accounts.map(({ accountId }) => accountId)).toEqual(['acc_bob', 'acc_ada']);
  });

  test('a page of accounts begins at an offset of its own, whatever the offset of the keys', async () => {
    const { accounts } = await top('wrong', true, 0, 1);
    expect(accounts.map(({ accountId, counts }) => [accountId, counts.requests['4xx']])).toEqual([
      ['acc_bob', 1],
    ]);
  });
});

test('a page past the last one is empty, and comes with the number of all keys and accounts', async () => {
  const recorder = recorderOn(queries);
  for (const keyId of [1, 2, 3]) recorder.record(ended({ keyId }));
  await recorder.flush();
  const pages = { sort: COUNT_SORTS[0], keysOffset: 40, accountsOffset: 20 };
  const { keys, keyTotal, accounts, accountTotal } = await history().ofPeriod('hour', {}, pages);
  expect([keys, keyTotal, accounts, accountTotal]).toEqual([[], 3, [], 2]);
});

test('percentiles of response times are ranges, and rejected requests do not affect them', async () => {
  const recorder = recorderOn(queries);
  for (let count = 0; count < 94; count += 1) recorder.record(ended({ elapsedMs: 1.5 }));
  for (let count = 0; count < 6; count += 1) recorder.record(ended({ elapsedMs: 12_000 }));
  for (let count = 0; count < 500; count += 1)
    recorder.record(ended({ elapsedMs: 0.1, status: 429, isCounted: false }));
  await recorder.flush();
  const { all } = await history().ofPeriod('hour', {});
  expect(all.p50).toEqual({ fromMs: 1, toMs: 2 });
  expect(all.p95).toEqual({ fromMs: 10_000, toMs: null });
});

test('the counts of concurrent servers add up', async () => {
  const recorders = [recorderOn(queries, 1), recorderOn(queries, 2)];
  for (const recorder of recorders) recorder.record(ended());
  await Promise.all(recorders.map((recorder) => recorder.flush()));
  expect(countedRequests((await history().ofPeriod('hour', {})).all)).toBe(2);
  expect(await history().logOfKey(1)).toHaveLength(2);
});

test('the log of requests has those of a key, newest first, without the values that callers sent', async () => {
  const recorder = recorderOn(queries);
  recorder.record(ended({ requestId: 'first' }));
  await recorder.flush();
  nowMs += 10;
  recorder.record(ended({ requestId: 'other', keyId: 2 }));
  const rejection =
    '"url" must be an http or https URL, but is "exam\\"ple.com/secret; x"; "width" must be a whole number, but is true. "secret \\" key" is not a field. See https://a.example/secret now';
  recorder.record(ended({ requestId: 'second', status: 400, elapsedMs: 1.26, rejection }));
  await recorder.flush();
  expect(await history().logOfKey(1)).toEqual([
    {
      atMs: START_MS + 10,
      operation: 'lookupPostcode',
      status: 400,
      outcome: '4xx',
      elapsedMs: 1.3,
      requestId: 'second',
      rejection:
        '"url" must be an http or https URL; "width" must be a whole number. "…" is not a field. See … now',
    },
    expect.objectContaining({ requestId: 'first', rejection: undefined, atMs: START_MS }),
  ]);
});

test('the log of requests has the last thousand successes of a key, and the database only the rows with them', async () => {
  const recorder = recorderOn(queries);
  for (let batch = 0; batch < 5; batch += 1) {
    for (let count = 0; count < 600; count += 1) recorder.record(ended({ requestId: `${batch}-${count}` }));
    recorder.record(ended({ keyId: 2, requestId: `other-${batch}` }));
    nowMs += 1_000;
    await recorder.flush();
  }
  const log = await history().logOfKey(1);
  expect([log.length, log[0]?.requestId, log.at(-1)?.requestId]).toEqual([1_000, '4-599', '3-200']);
  expect(await storage.db('request_log').where({ key_id: 1 }).pluck('requests')).toEqual([600, 600]);
  expect(await history().logOfKey(2)).toHaveLength(5);
});

test('expired records are hidden at once, and removed later', async () => {
  const recorder = recorderOn(queries);
  recorder.record(ended());
  await recorder.flush();
  nowMs += 7 * DAY_MS + 1;
  expect(await history().logOfKey(1)).toEqual([]);
  await removeOldUsage(storage.db, nowMs);
  expect(await storage.db('request_log').pluck('id')).toEqual([]);
  expect(await storage.db('usage_counts').pluck('span_minutes')).toEqual([1_440, 1_440]);
  await removeOldUsage(storage.db, nowMs + 90 * DAY_MS);
  expect(await storage.db('usage_counts').pluck('span_minutes')).toEqual([]);
});

test('caches a result for twenty times as long as it took to read', async () => {
  const recorder = recorderOn(queries);
  const slow = createRequestHistory({
    db: storage.db,
    clock: () => nowMs,
    flush: () => {
      nowMs += 1_000;
      return recorder.flush();
    },
  });
  const counted = async () => countedRequests((await slow.ofPeriod('day', {})).all);
  recorder.record(ended());
  expect(await counted()).toBe(1);
  recorder.record(ended());
  nowMs += 19_999;
  expect(await counted()).toBe(1);
  nowMs += 1;
  expect(await counted()).toBe(2);
});

test('stores no row of a key that was deleted before its counts were stored', async () => {
  const recorder = recorderOn(queries);
  recorder.record(ended());
  recorder.record(ended({ keyId: 2 }));
  await storage.db('api_keys').where({ id: 1 }).delete();
  await recorder.flush();
  expect(new Set(await storage.db('usage_counts').pluck('key_id'))).toEqual(new Set([0, 2]));
  expect(await storage.db('request_log').pluck('key_id')).toEqual([2]);
});
