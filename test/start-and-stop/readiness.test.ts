import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { openSqliteQueries } from '../../server/src/storage/sqlite/sqlite-queries.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { databaseVariables, removeDatabase } from '../fixtures/database-of-folder.js';
import { waitUntil } from '../fixtures/wait-until.js';

/** The name of this server's database. */
const NAME = 'readiness';

let app: ConsoleApp;
let databaseUrl: string | undefined;

beforeAll(async () => {
  const variables = await databaseVariables(NAME);
  databaseUrl = variables['SIGNPOST_DATABASE_URL'];
  app = await startConsoleApp(variables);
});
afterAll(async () => {
  await app.close();
  await removeDatabase(NAME);
});

const readyzBody = z.object({ error: z.string().optional(), checks: z.record(z.string(), z.boolean()) });

async function askReadiness() {
  const answer = await fetch(`${app.url}/readyz`);
  return { status: answer.status, ...readyzBody.parse(await answer.json()) };
}

const lookUp = () =>
  fetch(`${app.url}/api/postcode/lookup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': app.first.key },
    body: JSON.stringify({ postcode: 'SW1A 1AA' }),
  });

/** Takes SQLite's only write lock, like another program. Returns a function that releases it. */
async function lockSqlite(file: string) {
  const other = await openSqliteQueries(file);
  await other.all('BEGIN IMMEDIATE', []);
  return async () => {
    await other.all('ROLLBACK', []);
    await other.close();
  };
}

/** Makes PostgreSQL read-only while servers run, as after a failover. Returns a function that reverts it. */
async function makeReadOnly(url: string) {
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  const set = async (value: string) => {
    await operator.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    );
    await operator.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  };
  await set('on');
  return async () => {
    await set('off');
    await operator.end();
  };
}

test('a server that can read but not count is not ready, says why, and recovers by itself', async () => {
  expect((await askReadiness()).status).toBe(200);
  const [makeWritable, words] =
    databaseUrl === undefined
      ? [await lockSqlite(join(app.dataDir, 'signpost.db')), 'It stored nothing within 1.5 seconds.']
      : [await makeReadOnly(databaseUrl), 'It can only be read: it may be a standby, or set to read-only.'];
  const expected = `Not ready: database. The database: ${words}`;
  let refused = await askReadiness();
  await waitUntil('the server says what is wrong', async () => {
    app.pass(5_000);
    refused = await askReadiness();
    return refused.error === expected;
  });
  expect(refused).toMatchObject({ status: 503, checks: { database: false, browser: true, accepting: true } });
  expect((await lookUp()).status).toBe(503);

  await makeWritable();
  await waitUntil('the server is ready', async () => {
    app.pass(5_000);
    return (await askReadiness()).status === 200;
  });
  expect((await lookUp()).status).toBe(200);
});
