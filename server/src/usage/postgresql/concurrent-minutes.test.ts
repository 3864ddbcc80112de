import { accountRow } from '../../../../test/fixtures/storage/rows.js';
import pg from 'pg';
import type { Storage } from '../../storage/storage.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/fixtures/storage/test-database.js';
import { isStatementWaiting } from '../../../../test/fixtures/storage/waiting-statements.js';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import { admissionBindings, admissionSql } from '../admission-statement.js';

const day = 20_000;
const limits = { key: { perMinute: 5, perDay: 100 }, account: { perMinute: null, perDay: null } };
let database: TestDatabase;
let storage: Storage;
let connections: pg.Client[];

beforeEach(async () => {
  database = await createTestDatabase();
  storage = await database.open();
  await storage.db('accounts').insert(accountRow('a', { email: 'a@example.com' }));
  await storage.db('projects').insert({ id: 'p', account_id: 'a', name: 'p', created_at: 0 });
  await storage.db('api_keys').insert({ id: 1, project_id: 'p', hash: 'h', prefix: 'x', created_at: 0 });
  const connectionString = 'url' in database.location ? database.location.url : '';
  connections = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  for (const connection of connections) await connection.connect();
});

afterEach(async () => {
  for (const connection of connections) await connection.end();
  await storage.close();
  await database.remove();
});

/** Requests five admissions at once. Returns how many were admitted. */
async function askForFive(connection: pg.Client | undefined, minute: number): Promise<number | undefined> {
  let number = 0;
  const sql = admissionSql(1, 'postgresql').replaceAll('?', () => `$${(number += 1)}`);
  const asked = { keyId: 1, requestCount: 5, lastAtMs: 1, timedRequests: 0, timedMs: 0 };
  const answer = await connection?.query<{ granted: number }>(
    sql,
    admissionBindings([asked], limits, day, minute),
  );
  return answer?.rows[0]?.granted;
}

test("a server that waited for a server in another minute sees that server's usage", async () => {
  const [one, other] = connections;
  expect(await askForFive(other, 1_000)).toBe(5);
  await one?.query('BEGIN');
  expect(await askForFive(one, 940)).toBe(5);
  const waiting = askForFive(other, 1_000);
  await waitUntil('a statement waits for the other', () => isStatementWaiting(storage));
  await one?.query('COMMIT');
  expect(await waiting).toBe(0);
});
