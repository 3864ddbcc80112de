import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { removeDatabase } from '../fixtures/database-of-folder.js';
import { NO_BROWSER, runSignpost, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const settings = { ...NO_BROWSER, ...UNLIMITED };
const CALLERS = 4;
const CALLS_BEFORE = 200;

const newKey = z.object({ key: z.string() });
const backupHeader = z.object({
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.object({ name: z.string() })) })),
});

let folder: string;
let path: string;
let servers: SignpostServer[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-backup-'));
  path = join(folder, 'signpost.backup');
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.remove();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<SignpostServer> {
  const server = await startSignpost(settings);
  servers.push(server);
  return server;
}

async function succeed(server: SignpostServer, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await server.run(...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const call = (server: SignpostServer, key = server.apiKey) =>
  server.post('/api/postcode/validate', { postcode: 'SW1A 1AA' }, key);

/** Sends requests until `stop` is called. `acknowledged` counts the successes, `failed` lists all other statuses. */
function keepCalling(server: SignpostServer) {
  let acknowledged = 0;
  const failed: number[] = [];
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const { ok, status } = await call(server);
      if (ok) acknowledged += 1;
      else failed.push(status);
    }
  });
  return {
    acknowledged: () => acknowledged,
    failed: () => failed,
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

/** Reads from a backup file how many requests were counted, for all keys together. */
async function countedIn(file: string): Promise<number> {
  const [header = '', ...lines] = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n');
  const { tables } = backupHeader.parse(JSON.parse(header));
  const usage = tables.find(({ name }) => name === 'usage_days');
  const column = usage?.columns.findIndex(({ name }) => name === 'requests') ?? -1;
  const start = lines.indexOf('{"table":"usage_days"}') + 1;
  const end = lines.findIndex((line, index) => index >= start && line.startsWith('{'));
  const rows = lines.slice(start, end).map((line) => z.array(z.unknown()).parse(JSON.parse(line)));
  return rows.reduce((sum, row) => sum + z.number().parse(row[column]), 0);
}

test('a backup of a busy server counts at least the requests acknowledged before it began', async () => {
  const server = await start();
  const load = keepCalling(server);
  await waitUntil('calls are answered', () => load.acknowledged() >= CALLS_BEFORE);
  const before = load.acknowledged();
  await succeed(server, 'backup', path);
  await load.stop();
  const counted = await countedIn(path);
  expect(counted).toBeGreaterThanOrEqual(before);
  expect(counted).toBeLessThanOrEqual(load.acknowledged());
});

test('a running server uses a restored backup from the next request on: a revoked key works again, a newer key does not', async () => {
  const server = await start();
  const makeKey = async () => {
    const words = ['--account', 'operator@localhost', '--project', 'First project', '--json'];
    return newKey.parse(JSON.parse(await succeed(server, 'key', 'create', ...words))).key;
  };
  await succeed(server, 'backup', path);
  const late = await makeKey();
  await succeed(server, 'key', 'revoke', server.apiKey.slice(0, 16));
  expect([(await call(server, late)).status, (await call(server)).status]).toEqual([200, 401]);

  expect(await server.run('restore', path)).toMatchObject({ code: 1 });
  expect((await call(server, late)).status).toBe(200);
  await succeed(server, 'restore', path, '--force');
  expect([(await call(server, late)).status, (await call(server)).status]).toEqual([401, 200]);
  // The next key does not get the number of the key that the restore removed.
  const next = await makeKey();
  expect([(await call(server, next)).status, (await call(server, late)).status]).toEqual([200, 401]);
});

test('a busy server serves every request during a restore, and logs no error', async () => {
  const server = await start();
  await succeed(server, 'backup', path);
  // Skip the log of the start, which reports as an error that there is no browser.
  const atStart = server.output().length;
  const load = keepCalling(server);
  await waitUntil('calls are answered', () => load.acknowledged() >= CALLS_BEFORE);
  await succeed(server, 'restore', path, '--force');
  const since = load.acknowledged();
  await waitUntil('calls are answered again', () => load.acknowledged() >= since + CALLS_BEFORE);
  await load.stop();
  expect(load.failed()).toEqual([]);
  expect(server.output().slice(atStart)).not.toMatch(/"level":"(?:error|fatal)"/u);
  expect((await call(server)).status).toBe(200);
});

test('the commands about backups exit with 2 for invalid arguments, and with 1 if data or a file is missing', async () => {
  const dataDir = join(folder, 'empty');
  const run = (...words: string[]) => runSignpost(dataDir, words, settings);
  for (const words of [['backup'], ['restore'], ['restore', path, '--forse'], ['migrate-database', path]]) {
    expect(await run(...words)).toMatchObject({ code: 2, stdout: '' });
  }
  expect(await run('backup', path)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing to back up'),
  });
  expect(await run('restore', path)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no such file or folder'),
  });
  expect(await run('backup', '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Examples:'),
  });
  await expect(readFile(join(dataDir, 'signpost.db'))).rejects.toThrow(/ENOENT/u);
  await removeDatabase(dataDir);
});
