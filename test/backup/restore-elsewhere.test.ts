import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConsoleClient } from '../fixtures/console-client.js';
import { freePort } from '../fixtures/free-port.js';
import { NO_BROWSER, runSignpost, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const EMAIL = 'operator@localhost';
const tokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() });
/** Whether the secret is in the data folder. In a run with PostgreSQL, it is in a variable. */
const hasSecretFile = process.env['SIGNPOST_TEST_DATABASE_URL'] === undefined;

let folder: string;
let first: SignpostServer;
let second: SignpostServer;
let password: string;
let tokens: z.output<typeof tokenPair>;
let withoutSecret: { code: number | null; stdout: string; stderr: string };
let databaseWithoutSecret: Buffer | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-backup-'));
  // Tokens contain the server's address, so the second server must have the same one.
  const settings = { ...NO_BROWSER, ...UNLIMITED, SIGNPOST_PORT: String(await freePort()) };
  first = await startSignpost(settings);
  password = /One-time password +(\S+)/u.exec(first.output())?.[1] ?? '';
  const shown = await first.run('token', 'show', '--account', EMAIL, '--json');
  tokens = tokenPair.parse(JSON.parse(shown.stdout));
  for (let count = 0; count < 3; count += 1)
    expect((await first.post('/api/postcode/validate', { postcode: 'SW1A 1AA' })).status).toBe(200);
  const path = join(folder, 'signpost.backup');
  expect(await first.run('backup', path)).toMatchObject({ code: 0 });
  await first.end('SIGTERM');

  const dataDir = join(folder, 'restored');
  const restore = () => runSignpost(dataDir, ['restore', path], settings);
  if (hasSecretFile) {
    withoutSecret = await restore();
    databaseWithoutSecret = await readFile(join(dataDir, 'signpost.db')).catch(() => undefined);
    await mkdir(dataDir, { recursive: true });
    await copyFile(join(first.dataDir, 'secret'), join(dataDir, 'secret'));
  }
  expect(await restore()).toMatchObject({ code: 0, stderr: '' });
  second = await startSignpost(settings, dataDir);
});
afterAll(async () => {
  await second.remove();
  await first.remove();
  await rm(folder, { recursive: true, force: true });
});

(hasSecretFile ? test : test.skip)('a restore reports a missing secret, and creates no database', () => {
  expect([withoutSecret.code, withoutSecret.stdout]).toEqual([1, '']);
  expect(withoutSecret.stderr).toMatch(/secret that the backup belongs to is missing/u);
  expect(databaseWithoutSecret).toBeUndefined();
});

test('a restored installation creates no new operator', () => {
  expect(second.output()).not.toContain('One-time password');
});

test('a restored installation accepts a key and goes on with its count of requests', async () => {
  const usage = await second.get('/api/usage', first.apiKey);
  expect(await usage.json()).toMatchObject({ totalRequests: 4 });
});

test('access tokens are valid in a restored installation', async () => {
  const headers = { Authorization: `Bearer ${tokens.accessToken}` };
  expect((await fetch(`${second.url}/api/token/status`, { headers })).status).toBe(200);
});

test('refresh tokens are valid in a restored installation', async () => {
  const { refreshToken } = tokens;
  const refreshed = await second.post('/api/token/refresh', { refreshToken });
  expect(await refreshed.json()).toMatchObject({ result: 'success', refresh_token: refreshToken });
});

test('passwords are valid in a restored installation', async () => {
  const visitor = new ConsoleClient(second.url);
  expect((await visitor.signIn(EMAIL, password)).headers.get('Location')).toBe('/overview');
});
