import type { PreparedQueries, Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { addOwnersAndKeys, ended } from '../../../test/fixtures/usage/recorded-requests.js';
import { createRequestHistory } from './read-counts.js';
import { countedRequests } from './sum-counts.js';
import { RequestRecorder } from './request-recorder.js';

const START_MS = Date.UTC(2026, 2, 1, 9, 30);
let database: TestDatabase;
let storage: Storage;
let queries: PreparedQueries;
let problems: unknown[];

const recorderFailingIf = (fails: (sql: string) => boolean) =>
  new RequestRecorder({
    queries: {
      all: (sql, bindings) =>
        fails(sql) ? Promise.reject(new Error('disk full')) : queries.all(sql, bindings),
    },
    dialect: storage.dialect,
    clock: () => START_MS,
    randomBytes: (count) => Buffer.alloc(count, 7),
    onFailure: (error) => problems.push(error),
  });

const history = () =>
  createRequestHistory({ db: storage.db, clock: () => START_MS, flush: () => Promise.resolve() });

beforeEach(async () => {
  problems = [];
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

test('if counts cannot be stored, reports that once, keeps them, and stores them later', async () => {
  const failing = { isOn: true };
  const recorder = recorderFailingIf(() => failing.isOn);
  recorder.record(ended());
  await recorder.flush();
  recorder.record(ended());
  await recorder.flush();
  expect(problems).toEqual([new Error('disk full')]);
  failing.isOn = false;
  await recorder.flush();
  expect(countedRequests((await history().ofPeriod('hour', {})).all)).toBe(2);
});

test('reports once that requests cannot be logged, even if counts can still be stored and summed', async () => {
  const recorder = recorderFailingIf((sql) => sql.includes('INTO request_log'));
  for (let minute = 0; minute < 3; minute += 1) {
    recorder.record(ended());
    await recorder.flush();
  }
  expect(problems).toEqual([new Error('disk full')]);
  expect(countedRequests((await history().ofPeriod('hour', {})).all)).toBe(3);
});

test('reports a second outage after sums were stored again, even if no request was recorded in between', async () => {
  const failing = { isOn: false };
  const recorder = recorderFailingIf(() => failing.isOn);
  recorder.record(ended());
  await recorder.store();
  failing.isOn = true;
  for (let attempt = 0; attempt < 2; attempt += 1) await recorder.flush();
  expect(problems).toHaveLength(1);
  failing.isOn = false;
  await recorder.flush();
  failing.isOn = true;
  recorder.record(ended());
  for (let attempt = 0; attempt < 2; attempt += 1) await recorder.flush();
  expect(problems).toHaveLength(2);
});

test('reports that sums still fail after storing works again', async () => {
  const failing = { isOn: true };
  const recorder = recorderFailingIf(() => failing.isOn);
  recorder.record(ended());
  await recorder.flush();
  failing.isOn = false;
  await recorder.store();
  expect(problems).toHaveLength(1);
  failing.isOn = true;
  await recorder.sum();
  expect(problems).toHaveLength(2);
});
