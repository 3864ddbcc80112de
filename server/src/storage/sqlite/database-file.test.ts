import { mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../open-storage.js';

const PAGE_BYTES = 4_096;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-damage-'));
  file = join(folder, 'signpost.db');
  await (await openStorage({ file })).close();
});
afterEach(() => rm(folder, { recursive: true }));

const rejection = {
  name: 'ServiceError',
  message: expect.stringMatching(/signpost\.db is damaged.*restore a backup/u),
};

test('rejects a database whose last page is damaged, and leaves it unchanged', async () => {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, (await stat(file)).size - PAGE_BYTES);
  await handle.close();
  const before = await readFile(file);
  await expect(openStorage({ file })).rejects.toMatchObject(rejection);
  expect((await readFile(file)).equals(before)).toBe(true);
});

test('rejects an empty database file beside a write-ahead log, and keeps the log', async () => {
  const storage = await openStorage({ file });
  await storage.db('tries').insert({ subject: 'a', times: '[]', expires_at: 0 });
  const log = await readFile(`${file}-wal`);
  await storage.close();
  await truncate(file, 0);
  await writeFile(`${file}-wal`, log);
  await expect(openStorage({ file })).rejects.toMatchObject(rejection);
  expect((await stat(file)).size).toBe(0);
  expect((await readFile(`${file}-wal`)).equals(log)).toBe(true);
});
