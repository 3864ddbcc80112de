import { insertTwoKeys } from '../../../test/fixtures/storage/rows.js';
import { DAY_MS } from '../platform/time-units.js';
import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { findRequest } from './find-request.js';

const NOW_MS = Date.UTC(2026, 2, 8);
const idAt = (atMs: number, count = 1) => `Ab_defghijkL-${atMs.toString(36)}-${count}`;
const entry = (atMs: number, requestId: string) => [atMs, 'lookupPostcode', 200, '2xx', 1, requestId, 0];
let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  const { db } = storage;
  await insertTwoKeys(db);
  const row = (keyId: number, atMs: number, requestId: string) => ({
    key_id: keyId,
    id: String(atMs),
    at: atMs,
    requests: 1,
    entries: JSON.stringify([entry(atMs, requestId)]),
  });
  await db('request_log').insert([
    row(1, NOW_MS - 3 * DAY_MS + 30_000, idAt(NOW_MS - 3 * DAY_MS)),
    row(2, NOW_MS - 1_000, idAt(NOW_MS - 2_000, 2)),
    row(2, NOW_MS - 500, 'from-a-proxy.1'),
    row(2, NOW_MS - 400, idAt(NOW_MS - 5 * DAY_MS, 3)),
  ]);
});

afterAll(async () => {
  await storage.close();
  await database.remove();
});

test('finds a request by its identifier, with its key and account', async () => {
  expect(await findRequest(storage.db, idAt(NOW_MS - 3 * DAY_MS), undefined, NOW_MS)).toEqual({
    keyId: 1,
    accountId: 'acc_ada',
  });
  expect(await findRequest(storage.db, idAt(NOW_MS - 2_000, 2), 'acc_bob', NOW_MS)).toMatchObject({
    keyId: 2,
  });
});

test('finds a request whose identifier was chosen by a proxy', async () => {
  expect(await findRequest(storage.db, 'from-a-proxy.1', undefined, NOW_MS)).toMatchObject({ keyId: 2 });
});

test.each([
  ['of another account', idAt(NOW_MS - 2_000, 2), 'acc_ada'],
  ['whose number differs', idAt(NOW_MS - 2_000, 3), undefined],
  ['whose letters differ', idAt(NOW_MS - 2_000, 2).toLowerCase(), undefined],
  ['that is a part of one', 'from-a-proxy', undefined],
  ['that is a pattern', '%_________', undefined],
  ['in quotation marks', '"from-a-proxy.1"', undefined],
])('does not find a request by an identifier %s', async (_, requestId, accountId) => {
  expect(await findRequest(storage.db, requestId, accountId, NOW_MS)).toBeUndefined();
});

test('looks for an identifier made by this server only around the time in it', async () => {
  expect(await findRequest(storage.db, idAt(NOW_MS - 5 * DAY_MS, 3), undefined, NOW_MS)).toBeUndefined();
});
