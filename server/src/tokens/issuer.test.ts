import type { Storage } from '../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { agreeOnIssuer, readIssuer, storeIssuer } from './tokens.js';

let database: TestDatabase;
let storage: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await storage.db('installation').insert({ id: 1, secret_fingerprint: 'x', created_at: 0 });
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

test('servers that start at the same time agree on the address of one of them, and keep it', async () => {
  const elsewhere = await database.open();
  const agreed = await Promise.all([
    agreeOnIssuer(storage.db, 'http://one.example'),
    agreeOnIssuer(elsewhere.db, 'http://two.example'),
  ]);
  expect(['http://one.example', 'http://two.example']).toContain(agreed[0]);
  expect(agreed[0]).toBe(agreed[1]);
  expect(await readIssuer(storage.db)).toBe(agreed[0]);
  expect(await agreeOnIssuer(elsewhere.db, 'http://three.example')).toBe(agreed[0]);
  await elsewhere.close();
});

test('a configured address takes precedence over the agreed one', async () => {
  await agreeOnIssuer(storage.db, 'http://one.example');
  await storeIssuer(storage.db, 'https://signpost.example');
  expect(await agreeOnIssuer(storage.db, 'http://two.example')).toBe('https://signpost.example');
});
