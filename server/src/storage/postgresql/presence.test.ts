import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/fixtures/storage/test-database.js';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import type { Storage } from '../storage.js';
import { claimIfUnused } from './presence.js';

let database: TestDatabase;
let mine: Storage;
let theirs: Storage;

beforeEach(async () => {
  database = await createTestDatabase();
  mine = await database.open();
  theirs = await database.open();
});
afterEach(async () => {
  await mine.close();
  await theirs.close();
  await database.remove();
});

const claim = () => mine.db.transaction(claimIfUnused);

test('an opened database counts as in use from its first reading of the time until it is closed', async () => {
  expect(await claim()).toBe(true);
  await theirs.readTimeMs?.();
  expect(await claim()).toBe(false);
  await theirs.close();
  // PostgreSQL releases the lock a moment after the connection was closed.
  await waitUntil('the lock is released', claim);
  theirs = await database.open();
});

test('if a database is used through two openings at once, the second sees that the first still uses it', async () => {
  await mine.readTimeMs?.();
  await theirs.readTimeMs?.();
  expect(await theirs.db.transaction(claimIfUnused)).toBe(false);
});

test('after its connection was cut, a database counts as in use again by the second reading', async () => {
  await theirs.readTimeMs?.();
  if (!('url' in database.location)) throw new Error('These tests are for PostgreSQL.');
  const client = new pg.Client({ connectionString: database.location.url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = " +
      '(SELECT oid FROM pg_database WHERE datname = current_database())',
  );
  await client.end();
  await theirs.readTimeMs?.().catch(() => theirs.readTimeMs?.());
  expect(await claim()).toBe(false);
});
