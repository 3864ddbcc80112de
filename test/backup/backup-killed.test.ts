import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openStorage } from '../../server/src/storage/open-storage.js';
import type { Database } from '../../server/src/storage/storage.js';
import { databaseVariables, newDatabase, removeDatabase } from '../fixtures/database-of-folder.js';
import { rounds } from '../fixtures/length.js';
import { runSignpost } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';

const program = join(import.meta.dirname, '../../server/bin/signpost.js');
const ROWS = 150_000;
const ROWS_LEFT = 7;
const FIRST_KILL_AFTER_MS = 100;
/** The time until a process is killed grows by this factor each time, so that even a slow machine ends a restore. */
const LATER_BY = rounds(1.6, 1.3);
const SLOW_MACHINE_MS = 180_000;
const MAX_KILLS = 25;

let folder: string;
let dataDir: string;
let path: string;

async function inDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const { SIGNPOST_DATABASE_URL: url } = await databaseVariables(dataDir);
  const storage = await openStorage(url === undefined ? { file: join(dataDir, 'signpost.db') } : { url });
  try {
    return await work(storage.db);
  } finally {
    await storage.close();
  }
}

const countMinutes = () =>
  inDatabase(async (db) => {
    const [row] = await db('usage_minutes').count({ rows: '*' });
    return Number(row?.['rows']);
  });

async function run(...words: string[]) {
  const env = { PATH: process.env.PATH, SIGNPOST_DATA_DIR: dataDir, ...(await databaseVariables(dataDir)) };
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    /** Returns the exit code; null if the process was killed before it ended. */
    async killAfter(timeMs: number) {
      await Promise.race([ended, delay(timeMs, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await ended;
      return child.exitCode;
    },
  };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-killed-'));
  dataDir = join(folder, 'data');
  path = join(folder, 'signpost.backup');
  await newDatabase(dataDir);
  await runSignpost(dataDir, ['account', 'create', '--email', 'ada@example.org']);
  await inDatabase((db) =>
    db.raw(
      `INSERT INTO usage_minutes (key_id, minute, requests)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
         SELECT 1, i, 1 FROM n`,
    ),
  );
});

afterEach(async () => {
  await removeDatabase(dataDir);
  await rm(folder, { recursive: true, force: true });
});

const filesBeside = async () => (await readdir(folder)).filter((name) => name.startsWith('signpost.backup'));

test('a killed backup leaves only a .partial file, and the next backup is complete', async () => {
  const backup = await run('backup', path);
  await waitUntil('the backup has begun', async () => (await filesBeside()).length > 0);
  await backup.killAfter(0);
  expect(await filesBeside()).toEqual([expect.stringMatching(/\.partial$/u)]);
  const { code, stdout } = await runSignpost(dataDir, ['backup', path, '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ rows: expect.objectContaining({ usage_minutes: ROWS }) }),
  ]);
});

test(
  'a restore has restored none or all of the rows of usage_minutes, whenever it is killed',
  async () => {
    expect(await runSignpost(dataDir, ['backup', path])).toMatchObject({ code: 0 });
    await inDatabase((db) => db('usage_minutes').where('minute', '>', ROWS_LEFT).delete());
    let kills = 0;
    let code: number | null = null;
    for (; code === null && kills < MAX_KILLS; kills += 1) {
      const restore = await run('restore', path, '--force');
      code = await restore.killAfter(FIRST_KILL_AFTER_MS * LATER_BY ** kills);
      expect([ROWS_LEFT, ROWS]).toContain(await countMinutes());
    }
    expect([code, await countMinutes()]).toEqual([0, ROWS]);
    expect(kills).toBeGreaterThan(4);
  },
  SLOW_MACHINE_MS,
);
