import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteQueries } from './sqlite-queries.js';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'signpost-queries-'))));
afterEach(() => rm(folder, { recursive: true }));

test('after a statement failed because of a lock, later statements are committed when they return', async () => {
  const file = join(folder, 'test.db');
  await writeFile(file, '');
  const [one, other] = [await openSqliteQueries(file), await openSqliteQueries(file)];
  for (const queries of [one, other]) await queries.all('PRAGMA busy_timeout = 1', []);
  await one.all('CREATE TABLE counts (number INTEGER)', []);

  await other.all('BEGIN IMMEDIATE', []);
  await expect(one.all('INSERT INTO counts VALUES (?)', [1])).rejects.toThrow('SQLITE_BUSY');
  await other.all('ROLLBACK', []);
  await one.all('INSERT INTO counts VALUES (2)', []);

  expect(await other.all('SELECT number FROM counts', [])).toEqual([{ number: 2 }]);
  await other.all('INSERT INTO counts VALUES (3)', []);
  for (const queries of [one, other]) await queries.close();
});
