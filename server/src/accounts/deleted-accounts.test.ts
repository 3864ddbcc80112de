import { accountRow } from '../../../test/fixtures/storage/rows.js';
import { testContext } from '../../../test/fixtures/domain-context.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import type { Storage } from '../storage/storage.js';
import { deleteAccount } from './delete-account.js';
import { forgetDeletedAccounts } from './deleted-accounts.js';

let database: TestDatabase;
let storage: Storage;

beforeAll(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  for (const id of ['acc_ada', 'acc_eve']) await storage.db('accounts').insert(accountRow(id));
});

afterAll(async () => {
  await storage.close();
  await database.remove();
});

test('drops the cached entries of deleted accounts only', async () => {
  const kept = new Set(['acc_ada', 'acc_eve']);
  const holder = { accountIds: () => [...kept], forget: (id: string) => void kept.delete(id) };
  await forgetDeletedAccounts(storage.db, [holder]);
  expect([...kept]).toEqual(['acc_ada', 'acc_eve']);
  await deleteAccount(
    testContext(storage.db, () => 1_000),
    'acc_ada',
  );
  await forgetDeletedAccounts(storage.db, [holder]);
  expect([...kept]).toEqual(['acc_eve']);
});

test('drops the cached entries of deleted accounts even if more accounts are cached than one SQL statement looks up', async () => {
  const kept = new Set(Array.from({ length: 2_500 }, (_, index) => `acc_${index}`)).add('acc_eve');
  const holder = { accountIds: () => [...kept], forget: (id: string) => void kept.delete(id) };
  await forgetDeletedAccounts(storage.db, [holder]);
  expect([...kept]).toEqual(['acc_eve']);
});
