import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeServerLock } from './server-lock.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-lock-'));
  file = join(folder, 'data', 'server.lock');
});

afterEach(() => rm(folder, { recursive: true }));

test('creates the folder, and a lock file that only its owner can read', async () => {
  const lock = await takeServerLock(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await lock.release();
});

test('rejects a path below a file, at any depth, with a message that says what to do', async () => {
  await writeFile(join(folder, 'data'), '');
  await expect(takeServerLock(file)).rejects.toThrow(
    /a part of its path is a file\. Correct that, or choose another data folder/u,
  );
  const below = join(folder, 'data', 'deeper', 'server.lock');
  await expect(takeServerLock(below)).rejects.toThrow(/a part of its path is a file/u);
});

test('a released lock can be taken again', async () => {
  await (await takeServerLock(file)).release();
  await (await takeServerLock(file)).release();
});

test('rejects a second server while one holds the lock, with a message that names the file and the solution', async () => {
  const lock = await takeServerLock(file);
  const rejection = takeServerLock(file);
  await expect(rejection).rejects.toThrow(
    /Another server is using this data folder \(it holds .*server\.lock\)/u,
  );
  await expect(rejection).rejects.toThrow(/SIGNPOST_DATABASE_URL/u);
  await lock.release();
});

test('a waiting server gets the lock when the holder releases it', async () => {
  const lock = await takeServerLock(file);
  const waiting = takeServerLock(file);
  await lock.release();
  await (await waiting).release();
});

test('a killed holder does not block the next server', async () => {
  await (await takeServerLock(file)).release();
  const holding = `
    const { Database } = require('sqlite3');
    const database = new Database(${JSON.stringify(file)});
    database.exec('BEGIN EXCLUSIVE', (error) => console.log(error === null ? 'held' : String(error)));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', holding], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8');
  expect(await once(child.stdout, 'data')).toEqual(['held\n']);
  const waiting = takeServerLock(file);
  child.kill('SIGKILL');
  await (await waiting).release();
});

test('rejects a lock file that is not a database, with a message that names it', async () => {
  await (await takeServerLock(file)).release();
  await writeFile(file, 'not a database'.repeat(100));
  await expect(takeServerLock(file)).rejects.toThrow(/server\.lock is not a database/u);
});
