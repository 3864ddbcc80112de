import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSignpost, startSignpost } from '../fixtures/signpost-server.js';
import { SECRET } from './support/cluster.js';
import { rowsIn } from './support/counted.js';
import { freePorts } from '../fixtures/free-port.js';
import { startPostgresql, type Postgresql } from './support/postgresql.js';

const ANOTHER_SECRET = 'Zx8cVb7nMa6sDf5gHj4kLq3wEr2tYu1i';

let postgresql: Postgresql;
let dataDir: string;

beforeAll(async () => {
  postgresql = await startPostgresql();
  dataDir = await mkdtemp(join(tmpdir(), 'signpost-refused-'));
});
afterAll(async () => {
  await postgresql.remove();
  await rm(dataDir, { recursive: true });
});

/**
 * Starts a server that must refuse to start, with exit code 1 and an error of one or two lines, without a stack trace
 * or a secret. Returns the error.
 */
async function rejectionOf(settings: Readonly<Record<string, string>>, folder = dataDir): Promise<string> {
  const { code, stdout, stderr } = await runSignpost(folder, ['start'], settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const text = stderr.trimEnd();
  expect(text.split('\n').length).toBeLessThanOrEqual(2);
  expect(text).toMatch(/^signpost: /u);
  expect(text).not.toContain('    at ');
  for (const secret of [new URL(postgresql.url).password, SECRET, ANOTHER_SECRET])
    expect(text).not.toContain(secret);
  return text;
}

test('a server with PostgreSQL but without SIGNPOST_SECRET does not start', async () => {
  expect(await rejectionOf({ SIGNPOST_DATABASE_URL: postgresql.url })).toContain(
    'SIGNPOST_SECRET must be set',
  );
});

test('a server with a different secret than that of its database does not start', async () => {
  const server = await startSignpost({ SIGNPOST_DATABASE_URL: postgresql.url, SIGNPOST_SECRET: SECRET });
  await server.remove();
  const settings = { SIGNPOST_DATABASE_URL: postgresql.url, SIGNPOST_SECRET: ANOTHER_SECRET };
  expect(await rejectionOf(settings)).toMatch(
    /set up with another secret\. Set SIGNPOST_SECRET to that secret/u,
  );
});

test('a server does not start on a database of a newer version, and names the unknown migration', async () => {
  await rowsIn(
    postgresql.url,
    "INSERT INTO migrations (name, batch, migration_time) VALUES ('999-future', 9, now())",
  );
  const settings = { SIGNPOST_DATABASE_URL: postgresql.url, SIGNPOST_SECRET: SECRET };
  expect(await rejectionOf(settings)).toMatch(
    /newer version of Signpost \(it has the migration 999-future\)/u,
  );
  await rowsIn(postgresql.url, "DELETE FROM migrations WHERE name = '999-future'");
  const server = await startSignpost(settings);
  await server.remove();
});

test('a server does not start if its database cannot be reached, rejects its password or does not exist', async () => {
  const [port = 0] = await freePorts(1);
  const changed: readonly (readonly [(url: URL) => void, RegExp])[] = [
    [
      (url) => (url.port = String(port)),
      /No PostgreSQL answers at 127\.0\.0\.1:\d+\/postgres\. Start it, or/u,
    ],
    [(url) => (url.password = ANOTHER_SECRET), /refuses the user and password/u],
    [(url) => (url.pathname = '/nowhere'), /There is no database 127\.0\.0\.1:\d+\/nowhere\. Make it/u],
    [
      (url) => (url.hostname = 'no-such-host.invalid'),
      /The database \S+ cannot be reached: its name is not found/u,
    ],
  ];
  for (const [change, words] of changed) {
    const url = new URL(postgresql.url);
    change(url);
    expect(await rejectionOf({ SIGNPOST_DATABASE_URL: url.href, SIGNPOST_SECRET: SECRET })).toMatch(words);
  }
});

test('a second server on a data folder with SQLite does not start, and says how to fix it', async () => {
  const first = await startSignpost();
  try {
    const words = await rejectionOf({}, first.dataDir);
    expect(words).toMatch(/Another server is using this data folder/u);
    expect(words).toMatch(/SIGNPOST_DATA_DIR.*SIGNPOST_DATABASE_URL/u);
    expect((await first.post('/api/postcode/lookup', { postcode: 'SW1A 1AA' })).status).toBe(200);
  } finally {
    await first.remove();
  }
  await expect(startSignpost({}, first.dataDir).then((server) => server.remove())).resolves.toBeUndefined();
});
