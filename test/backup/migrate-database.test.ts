import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openStorage } from '../../server/src/storage/open-storage.js';
import { sqliteFileIn } from '../../server/src/storage/sqlite/database-file.js';
import { COPIED_TABLES } from '../../server/src/storage/transfer/copied-tables.js';
import { removeDatabase } from '../fixtures/database-of-folder.js';
import { NO_BROWSER, runSignpost, startSignpost } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/** Variables that keep the server on SQLite: an empty value counts as unset. */
const onSqlite = { SIGNPOST_DATABASE_URL: '', SIGNPOST_SECRET: '' };
const settings = { ...NO_BROWSER, ...UNLIMITED };

const report = z.object({
  tables: z.array(z.object({ table: z.string(), rows: z.number(), digest: z.string() })),
});

const LOOKUP = { postcode: 'SW1A 1AA' };

let dataDir: string;
let apiKey: string;
let whileRunning: Ran;
let withWrongSecret: Ran;
let rowsBefore: readonly (readonly [string, number])[];
let migrated: Ran;
let again: Ran;
let onPostgresql: Ran & { readonly lookupStatus: number; readonly usage: unknown };
let backOnSqlite: unknown;

type Ran = Awaited<ReturnType<typeof runSignpost>>;

/** The number of rows of each table of the SQLite database that is moved. */
async function countRows() {
  const storage = await openStorage({ file: sqliteFileIn(dataDir) });
  const counts: (readonly [string, number])[] = [];
  for (const { name } of COPIED_TABLES) counts.push([name, (await storage.db(name)).length]);
  await storage.close();
  return counts;
}

/** Moves a SQLite installation to PostgreSQL, and back with a backup. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-migrate-'));
  const before = await startSignpost({ ...settings, ...onSqlite }, dataDir);
  ({ apiKey } = before);
  expect((await before.post('/api/postcode/lookup', LOOKUP)).status).toBe(200);
  const secret = { SIGNPOST_SECRET: (await readFile(join(dataDir, 'secret'), 'utf8')).trim() };
  const migrate = (more = secret) => runSignpost(dataDir, ['migrate-database', '--json'], more);
  whileRunning = await migrate();
  await before.end('SIGTERM');

  withWrongSecret = await migrate({ SIGNPOST_SECRET: '9bT4rWq7-Zx2KpM8sLd1VhN6cYfJ3gAe' });
  rowsBefore = await countRows();
  migrated = await migrate();
  again = await migrate();

  const after = await startSignpost({ ...settings, ...secret }, dataDir);
  const lookupStatus = (await after.post('/api/postcode/lookup', LOOKUP, apiKey)).status;
  const usage: unknown = await (await after.get('/api/usage', apiKey)).json();
  const path = join(dataDir, 'signpost.backup');
  const backup = await after.run('backup', path);
  onPostgresql = { ...backup, stdout: after.output(), lookupStatus, usage };
  await after.end('SIGTERM');

  expect(await runSignpost(dataDir, ['restore', path, '--force'], onSqlite)).toMatchObject({ code: 0 });
  const back = await startSignpost({ ...settings, ...onSqlite }, dataDir);
  backOnSqlite = await (await back.get('/api/usage', apiKey)).json();
  await back.end('SIGTERM');
});
afterAll(async () => {
  await removeDatabase(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

test('an installation is not moved to PostgreSQL while its server runs', () => {
  expect(whileRunning).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first') });
});

test('an installation is not moved to PostgreSQL if SIGNPOST_SECRET is another secret', () => {
  const stderr = expect.stringContaining('SIGNPOST_SECRET is not the secret');
  expect(withWrongSecret).toMatchObject({ code: 1, stderr });
});

test('the report of a move to PostgreSQL has the number of rows of each table', () => {
  expect(migrated.code).toBe(0);
  const { tables } = report.parse(JSON.parse(migrated.stdout));
  expect(rowsBefore).toContainEqual(['api_keys', 1]);
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual(rowsBefore);
});

test('an installation is not moved into a database that is not empty', () => {
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
});

test('after the move to PostgreSQL, an installation makes no new operator, accepts its key and has its counts', () => {
  expect(onPostgresql.stdout).not.toContain('One-time password');
  expect(onPostgresql.lookupStatus).toBe(200);
  expect(onPostgresql.usage).toMatchObject({ totalRequests: 3 });
});

test('a backup from PostgreSQL brings the installation back to SQLite, with the counts made meanwhile', () => {
  expect(onPostgresql.code).toBe(0);
  expect(backOnSqlite).toMatchObject({ totalRequests: 4 });
});
