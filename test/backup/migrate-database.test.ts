import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { removeDatabase } from '../fixtures/database-of-folder.js';
import { NO_BROWSER, runSignpost, startSignpost } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/** An empty value counts as unset. */
const onSqlite = { SIGNPOST_DATABASE_URL: '', SIGNPOST_SECRET: '' };
const settings = {
  ...NO_BROWSER,
  ...UNLIMITED,
};

const report = z.object({
  tables: z.array(z.object({ table: z.string(), rows: z.number(), digest: z.string() })),
});

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-migrate-'));
});
afterEach(async () => {
  await removeDatabase(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

test('an installation moves to PostgreSQL with its keys and counts, and back with a backup', async () => {
  const before = await startSignpost({ ...settings, ...onSqlite }, dataDir);
  const { apiKey } = before;
  const lookup = { postcode: 'SW1A 1AA' };
  expect((await before.post('/api/postcode/lookup', lookup)).status).toBe(200);
  const secret = { SIGNPOST_SECRET: (await readFile(join(dataDir, 'secret'), 'utf8')).trim() };
  const migrate = (more = secret) => runSignpost(dataDir, ['migrate-database', '--json'], more);
  expect(await migrate()).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first') });
  await before.end('SIGTERM');

  expect(await migrate({ SIGNPOST_SECRET: '9bT4rWq7-Zx2KpM8sLd1VhN6cYfJ3gAe' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SIGNPOST_SECRET is not the secret'),
  });
  const { code, stdout } = await migrate();
  expect(code).toBe(0);
  const { tables } = report.parse(JSON.parse(stdout));
  expect(tables.find(({ table }) => table === 'api_keys')).toMatchObject({ rows: 1 });
  expect(await migrate()).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });

  const after = await startSignpost({ ...settings, ...secret }, dataDir);
  expect(after.output()).not.toContain('One-time password');
  expect((await after.post('/api/postcode/lookup', lookup, apiKey)).status).toBe(200);
  expect(await (await after.get('/api/usage', apiKey)).json()).toMatchObject({ totalRequests: 3 });

  const path = join(dataDir, 'signpost.backup');
  expect(await after.run('backup', path)).toMatchObject({ code: 0 });
  await after.end('SIGTERM');
  expect(await runSignpost(dataDir, ['restore', path, '--force'], onSqlite)).toMatchObject({ code: 0 });
  const back = await startSignpost({ ...settings, ...onSqlite }, dataDir);
  expect(await (await back.get('/api/usage', apiKey)).json()).toMatchObject({ totalRequests: 4 });
  await back.end('SIGTERM');
});
