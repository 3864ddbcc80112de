import { z } from 'zod';
import type { PreparedQueries, Storage } from '../storage/storage.js';
import { HOUR_MINUTES, MINUTE_MS } from '../platform/time-units.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { addOwnersAndKeys, ended } from '../../../test/fixtures/usage/recorded-requests.js';
import { minuteOf } from './rate-limit.js';
import { createRequestHistory } from './read-counts.js';
import { RequestRecorder } from './request-recorder.js';
import { countedRequests } from './sum-counts.js';

const START_MS = Date.UTC(2026, 2, 1, 9, 30);
let database: TestDatabase;
let storage: Storage;
let queries: PreparedQueries;
let nowMs: number;

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

const recorderOn = (to: Pick<PreparedQueries, 'all'>, random = 7) =>
  new RequestRecorder({
    queries: to,
    dialect: storage.dialect,
    clock: () => nowMs,
    randomBytes: (count) => Buffer.alloc(count, random),
    onFailure: () => undefined,
  });

const history = () =>
  createRequestHistory({ db: storage.db, clock: () => nowMs, flush: () => Promise.resolve() });

test('a failed capture stays in the log, however many successes, rejections and client errors follow', async () => {
  const recorder = recorderOn(queries);
  const inTheLog = async () => (await history().logOfKey(1)).filter(({ status }) => status === 504).length;
  recorder.record(ended({ operation: 'captureScreenshot', status: 504, requestId: 'failed' }));
  for (let count = 0; count < 1_500; count += 1) recorder.record(ended({ operation: 'validatePostcode' }));
  await recorder.flush();
  expect(await inTheLog()).toBe(1);
  for (let round = 0; round < 8; round += 1) {
    nowMs += 1_000;
    for (let count = 0; count < 700; count += 1) {
      recorder.record(ended());
      recorder.record(ended({ status: 404 }));
      recorder.record(ended({ status: 429, isCounted: false }));
    }
    await recorder.flush();
  }
  expect(await inTheLog()).toBe(1);
  const outcomes = (await history().logOfKey(1)).map(({ outcome }) => outcome);
  const kept = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  expect(['2xx', '4xx', '5xx', 'refused'].map(kept)).toEqual([1_000, 500, 1, 500]);
  expect((await storage.db('request_log').pluck<number[]>('requests')).length).toBeLessThan(10);
});

test('successes of other keys that fill the memory between two writes push no failure out of the log', async () => {
  const recorder = recorderOn(queries);
  for (let count = 0; count < 25_000; count += 1) recorder.record(ended({ keyId: 100 + (count % 50) }));
  recorder.record(ended({ status: 500, requestId: 'failed' }));
  await recorder.flush();
  expect((await history().logOfKey(1)).map(({ requestId }) => requestId)).toEqual(['failed']);
});

test('reads and prunes a log of an earlier version, whose rows have several outcomes', async () => {
  const entry = (status: number, outcome: string) => [
    nowMs,
    'lookupPostcode',
    status,
    outcome,
    1,
    'req-old',
    0,
  ];
  const entries = JSON.stringify([
    ...Array.from({ length: 600 }, () => entry(200, '2xx')),
    entry(500, '5xx'),
  ]);
  await storage
    .db('request_log')
    .insert(['1', '2', '3'].map((id) => ({ key_id: 1, id, at: nowMs, requests: 601, entries })));
  const recorder = recorderOn(queries);
  recorder.record(ended());
  await recorder.flush();
  const log = await history().logOfKey(1);
  expect(log.filter(({ outcome }) => outcome === '2xx')).toHaveLength(1_000);
  expect(log.filter(({ outcome }) => outcome === '5xx')).toHaveLength(2);
});

const list = z.array(z.unknown());

/** Returns `observed` queries, and in `lists` the length of each list that is passed to one of their statements. */
function observedQueries() {
  const lists: number[] = [];
  const observed: Pick<PreparedQueries, 'all'> = {
    all: (sql, bindings) => {
      for (const one of bindings) if (typeof one === 'string') lists.push(list.parse(JSON.parse(one)).length);
      return queries.all(sql, bindings);
    },
  };
  return { lists, observed };
}

/** Adds keys of Ada with the ids from 1,000 on. */
const addKeys = (length: number) =>
  storage.db.batchInsert(
    'api_keys',
    Array.from({ length }, (_, at) => ({
      id: 1_000 + at,
      project_id: 'prj_ada',
      hash: `h${at}`,
      prefix: 'sp_live_x',
      created_at: 0,
    })),
    100,
  );

test('prunes the logs of many keys step by step, even if no further request comes', async () => {
  await addKeys(70);
  const keyIds = Array.from({ length: 70 }, (_, at) => 1_000 + at);
  const row = { at: nowMs, requests: 1_000, entries: '[]', outcome: '2xx' };
  await storage.db.batchInsert(
    'request_log',
    keyIds.flatMap((keyId) => ['1', '2'].map((id) => ({ ...row, key_id: keyId, id }))),
    50,
  );
  const recorder = recorderOn(queries);
  for (const keyId of keyIds) recorder.record(ended({ keyId }));
  const old = async () => (await storage.db('request_log').where({ id: '1' })).length;
  await recorder.store();
  expect(await old()).toBe(6);
  await recorder.store();
  expect(await old()).toBe(0);
});

test('no statement gets a list of 200 items or more, even for the records of 1,000 keys', async () => {
  const { lists, observed } = observedQueries();
  await addKeys(1_000);
  const recorder = recorderOn(observed);
  for (let key = 0; key < 1_000; key += 1) recorder.record(ended({ keyId: 1_000 + key }));
  await recorder.flush();
  expect(Math.max(...lists)).toBeLessThan(200);
  expect(countedRequests((await history().ofPeriod('day', {})).all)).toBe(1_000);
  expect(new Set(await storage.db('request_log').pluck('key_id')).size).toBe(1_000);
});

test('summing adds stored minutes to their hour and day correctly, however often it runs', async () => {
  const recorders = [recorderOn(queries, 1), recorderOn(queries, 2)];
  const hour = minuteOf(START_MS) - (minuteOf(START_MS) % HOUR_MINUTES);
  const inTheDay = async () => countedRequests((await history().ofPeriod('month', {})).all);
  for (const [at, recorder] of recorders.entries()) {
    nowMs += at * MINUTE_MS;
    recorder.record(ended());
    await recorder.store();
  }
  expect(await inTheDay()).toBe(0);
  for (const recorder of [...recorders, ...recorders]) {
    await recorder.sum();
    recorder.addUnsummed(hour, [0, 1, 2]);
  }
  expect(await inTheDay()).toBe(2);
  expect(countedRequests((await history().ofPeriod('day', { keyId: 1 })).all)).toBe(2);
});

test('sums that could not be stored are stored later', async () => {
  const failing = { isOn: false };
  const recorder = recorderOn({
    all: (sql, bindings) =>
      failing.isOn ? Promise.reject(new Error('disk full')) : queries.all(sql, bindings),
  });
  recorder.record(ended());
  await recorder.store();
  failing.isOn = true;
  expect(await recorder.sum()).toBe(false);
  failing.isOn = false;
  expect(await recorder.sum()).toBe(true);
  expect(countedRequests((await history().ofPeriod('month', {})).all)).toBe(1);
});
