import { accountRow } from '../../../../test/fixtures/storage/rows.js';
import { chmod, mkdtemp, readFile, rm, stat, writeFile, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex from 'knex';
import { MIGRATIONS } from '../migrations/migrate.js';
import { openStorage } from '../open-storage.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-storage-'));
  file = join(folder, 'data', 'signpost.db');
});

afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

const account = accountRow('acc_1', { email: 'ada@example.org' });

/** Runs statements on a file directly, without the checks and settings of `openStorage`. */
async function withBareDatabase(...statements: string[]): Promise<void> {
  const db = knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true });
  for (const statement of statements) await db.raw(statement);
  await db.destroy();
}

test('opening a new database makes its tables, and records every migration by name', async () => {
  const storage = await openStorage({ file });
  expect(await storage.db('migrations').pluck('name')).toEqual(MIGRATIONS.map(({ name }) => name));
  for (const table of ['installation', 'accounts', 'projects', 'api_keys', 'usage_days']) {
    expect(await storage.db.schema.hasTable(table)).toBe(true);
  }
  await storage.close();
});

test('opening a database again applies no migration and keeps its data', async () => {
  const first = await openStorage({ file });
  await first.db('accounts').insert(account);
  await first.close();
  const second = await openStorage({ file });
  expect(await second.db('accounts').pluck('email')).toEqual(['ada@example.org']);
  expect(await second.db('migrations').pluck('batch')).toEqual(MIGRATIONS.map(() => 1));
  await second.close();
});

test('opening a new database three times at once succeeds each time, and migrates it once', async () => {
  const storages = await Promise.all([1, 2, 3].map(() => openStorage({ file })));
  expect(await storages[0]?.db('migrations').pluck('name')).toEqual(MIGRATIONS.map(({ name }) => name));
  for (const storage of storages) expect(await storage.db('accounts')).toEqual([]);
  for (const storage of storages) await storage.close();
});

test('SQLite is set to durable commits and to waiting for other writers, and enforces foreign keys', async () => {
  const { db, close } = await openStorage({ file });
  expect(await db.raw('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
  expect(await db.raw('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
  expect(await db.raw('PRAGMA busy_timeout')).toEqual([{ timeout: 5000 }]);
  await expect(
    db('projects').insert({ id: 'prj_1', account_id: 'nobody', name: 'x', created_at: 0 }),
  ).rejects.toThrow('FOREIGN KEY');
  await close();
});

test('only the owner can read the database and the files beside it', async () => {
  const storage = await openStorage({ file });
  await storage.db('accounts').insert(account);
  expect(await modeOf(join(folder, 'data'))).toBe('700');
  for (const suffix of ['', '-wal', '-shm']) expect(await modeOf(file + suffix)).toBe('600');
  await storage.close();
});

test('a database that others could read is restricted to its owner', async () => {
  await (await openStorage({ file })).close();
  await chmod(file, 0o644);
  await (await openStorage({ file })).close();
  expect(await modeOf(file)).toBe('600');
});

test('a database of a newer version is rejected with a message that says what to do, and stays usable', async () => {
  await (await openStorage({ file })).close();
  await withBareDatabase("INSERT INTO migrations (name, batch) VALUES ('999-from-the-future', 2)");
  await expect(openStorage({ file })).rejects.toMatchObject({
    name: 'ServiceError',
    message: expect.stringMatching(/newer version.*999-from-the-future.*newer one.*backup/u),
  });
  await withBareDatabase("DELETE FROM migrations WHERE name = '999-from-the-future'");
  await (await openStorage({ file })).close();
});

test('a file that is not a database is rejected with a message that names it, and left unchanged', async () => {
  await (await openStorage({ file })).close();
  const words = 'Dear diary, this is not a database. '.repeat(200);
  await writeFile(file, words);
  await expect(openStorage({ file })).rejects.toMatchObject({
    name: 'ServiceError',
    message: expect.stringMatching(/signpost\.db is not a database.*restore a backup/u),
  });
  expect(await readFile(file, 'utf8')).toBe(words);
});

test('a truncated database is rejected with a message that names it, and left unchanged', async () => {
  await (await openStorage({ file })).close();
  const { size } = await stat(file);
  await truncate(file, size / 2);
  const before = await readFile(file);
  await expect(openStorage({ file })).rejects.toMatchObject({
    name: 'ServiceError',
    message: expect.stringMatching(/signpost\.db is damaged.*restore a backup/u),
  });
  expect((await readFile(file)).equals(before)).toBe(true);
});

test("another program's database is rejected and left unchanged", async () => {
  await (await openStorage({ file: join(folder, 'data', 'other.db') })).close();
  await withBareDatabase('CREATE TABLE recipes (name TEXT)');
  const before = await readFile(file);
  await expect(openStorage({ file })).rejects.toThrow(/signpost\.db is the database of another program/u);
  expect((await readFile(file)).equals(before)).toBe(true);
});

test('a folder in place of the database is rejected with a message that says so', async () => {
  await expect(openStorage({ file: folder })).rejects.toThrow(/is a folder/u);
});

test('the error of a failed query does not show its values', async () => {
  const { db, close } = await openStorage({ file });
  await db('accounts').insert(account);
  const message = await db('accounts')
    .insert(account)
    .then(
      () => '',
      (error: unknown) => String(error),
    );
  expect(message).toContain('UNIQUE');
  expect(message).not.toContain('ada@example.org');
  await close();
});
