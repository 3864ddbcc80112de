import { accountRow } from '../../../../test/fixtures/storage/rows.js';
import pg from 'pg';
import type { Storage } from '../../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/fixtures/storage/test-database.js';
import { isStatementWaiting } from '../../../../test/fixtures/storage/waiting-statements.js';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import { admissionBindings, admissionSql } from '../admission-statement.js';

const day = 20_000;
const minute = day * 1440;
const unlimited = { perMinute: null, perDay: null };
let database: TestDatabase;
let storage: Storage;
let connections: pg.Client[];

/** Key 1 is Bob's, who has no limit. Keys 2 and 3 are Ada's, who has one. */
beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  for (const id of ['ada', 'bob']) {
    await storage
      .db('accounts')
      .insert(accountRow(id, { email: `${id}@example.com`, per_minute: id === 'ada' ? 5 : null }));
    await storage.db('projects').insert({ id, account_id: id, name: id, created_at: 0 });
  }
  for (const [index, project_id] of ['bob', 'ada', 'ada'].entries()) {
    const id = index + 1;
    await storage.db('api_keys').insert({ id, project_id, hash: `h${id}`, prefix: `x${id}`, created_at: 0 });
  }
  const connectionString = 'url' in database.location ? database.location.url : '';
  connections = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  for (const connection of connections) await connection.connect();
});

afterEach(async () => {
  for (const connection of connections) await connection.end();
  await storage.close();
  await database.remove();
});

/** Requests three admissions for each key at once. Returns the number of admitted requests by key. */
async function ask(connection: pg.Client | undefined, keyIds: readonly number[]) {
  let number = 0;
  const sql = admissionSql(keyIds.length, 'postgresql').replaceAll('?', () => `$${(number += 1)}`);
  const batch = keyIds.map((keyId) => ({
    keyId,
    requestCount: 3,
    lastAtMs: 1,
    timedRequests: 0,
    timedMs: 0,
  }));
  const bindings = admissionBindings(batch, { key: unlimited, account: unlimited }, day, minute);
  const answer = await connection?.query<{ key_id: number; granted: number }>(sql, bindings);
  return Object.fromEntries(answer?.rows.map(({ key_id, granted }) => [key_id, granted]) ?? []);
}

test("a server that waited for an account sees what another server admitted for the account's other key", async () => {
  const [one, other] = connections;
  await one?.query('BEGIN');
  expect(await ask(one, [2])).toEqual({ 2: 3 });
  const waiting = ask(other, [3]);
  await waitUntil('a statement waits for the other', () => isStatementWaiting(storage));
  await one?.query('COMMIT');
  expect(await waiting).toEqual({ 3: 2 });
});

test('a server that waits for an account locks no row of a key that another server needs', async () => {
  const [one, other] = connections;
  await ask(one, [1]);
  await one?.query('BEGIN');
  expect(await ask(one, [2])).toEqual({ 2: 3 });
  const waiting = ask(other, [1, 3]);
  await waitUntil('a statement waits for the other', () => isStatementWaiting(storage));
  expect(await ask(one, [1])).toEqual({ 1: 3 });
  await one?.query('COMMIT');
  expect(await waiting).toEqual({ 1: 3, 3: 2 });
});
