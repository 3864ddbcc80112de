import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../open-storage.js';
import type { PreparedQueries, Storage } from '../storage.js';
import { probeWrite, writeProblem } from '../write-probe.js';

const pageBytes = 4_096;
let folder: string;
let storage: Storage;
let queries: PreparedQueries;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-probe-'));
  storage = await openStorage({ file: join(folder, 'signpost.db') });
  queries = await storage.openPreparedQueries();
});
afterEach(async () => {
  await queries.close();
  await storage.close();
  await rm(folder, { recursive: true });
});

const problemOfProbe = () =>
  probeWrite(queries, 1.5).then(
    () => undefined,
    (error: unknown) => writeProblem(error),
  );

test('each probe writes pages to the disk, and keeps one row', async () => {
  const wal = join(folder, 'signpost.db-wal');
  await probeWrite(queries, 1_000.25);
  const { size: before } = await stat(wal);
  await probeWrite(queries, 1_001.25);
  expect((await stat(wal)).size - before).toBeGreaterThan(4 * pageBytes);
  expect(await storage.db('write_probe').pluck('id')).toEqual([1]);
});

test('the messages distinguish a read-only database from a full one', async () => {
  await queries.all('PRAGMA query_only = ON', []);
  expect(await problemOfProbe()).toMatch(/^It can only be read/u);
  await queries.all('PRAGMA query_only = OFF', []);
  await queries.all('PRAGMA max_page_count = 1', []);
  expect(await problemOfProbe()).toBe('Its disk is full: make room there.');
  await queries.all('PRAGMA max_page_count = 1000000', []);
  expect(await problemOfProbe()).toBeUndefined();
});

test('the message about an unexpected error does not show the text of the error', () => {
  expect(writeProblem(new Error('/home/ada/secret'))).toBe('It cannot be written to; the log says why.');
});
