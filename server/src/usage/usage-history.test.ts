import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { removeOldUsage } from './usage-history.js';

const dayMinutes = 1_440;
const nowMinute = 30_000_000;
const nowMs = nowMinute * 60_000;
let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  const ages = [0, dayMinutes, 3 * dayMinutes, 3 * dayMinutes + 1];
  await storage
    .db('usage_minutes')
    .insert(ages.map((age) => ({ key_id: 1, minute: nowMinute - age, requests: 5 })));
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

const ages = async () =>
  (await storage.db('usage_minutes').pluck<number[]>('minute')).map((m) => nowMinute - m);

test('keeps the usage by minute of the last three days, and removes older usage', async () => {
  await removeOldUsage(storage.db, nowMs);
  expect((await ages()).toSorted((a, b) => a - b)).toEqual([0, dayMinutes, 3 * dayMinutes]);
});
