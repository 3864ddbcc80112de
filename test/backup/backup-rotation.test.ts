import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { newDatabase, removeDatabase } from '../fixtures/database-of-folder.js';
import { runSignpost } from '../fixtures/signpost-server.js';

const OLD = 'signpost-2020-01-01T023000Z.backup';
const report = z.object({ file: z.string(), removed: z.array(z.string()) });

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-rotation-'));
  dataDir = join(folder, 'data');
  await newDatabase(dataDir);
});
afterEach(async () => {
  await removeDatabase(dataDir);
  await rm(folder, { recursive: true });
});

test('backup --keep creates its folder, removes an old backup, and writes one that can be restored', async () => {
  const backups = join(folder, 'of', 'each', 'night');
  await runSignpost(dataDir, ['account', 'create', '--email', 'ada@example.org']);
  const first = await runSignpost(dataDir, ['backup', backups, '--keep', '2']);
  expect(first.stderr).toBe('');
  const [kept = ''] = await readdir(backups);
  await writeFile(join(backups, OLD), '');
  await rm(join(backups, kept));

  const { code, stdout } = await runSignpost(dataDir, ['backup', backups, '--keep', '1', '--json']);
  expect(code).toBe(0);
  const { file, removed } = report.parse(JSON.parse(stdout));
  expect(removed).toEqual([OLD]);
  expect((await readdir(backups)).map((name) => join(backups, name))).toEqual([file]);
  expect((await runSignpost(dataDir, ['restore', file, '--force'])).code).toBe(0);
});

test('a failed backup --keep deletes no older backup', async () => {
  const backups = join(folder, 'backups');
  await runSignpost(dataDir, ['account', 'create', '--email', 'ada@example.org']);
  await runSignpost(dataDir, ['backup', backups, '--keep', '1']);
  const before = await readdir(backups);
  await writeFile(join(backups, OLD), '');
  await writeFile(join(dataDir, 'secret'), 'another secret, of as many characters as one needs');

  expect((await runSignpost(dataDir, ['backup', backups, '--keep', '1'])).code).toBe(1);
  expect((await readdir(backups)).toSorted()).toEqual([OLD, ...before]);
});

test('a failed first backup --keep does not create its folder', async () => {
  const backups = join(folder, 'backups');
  const empty = join(folder, 'empty');

  expect((await runSignpost(empty, ['backup', backups, '--keep', '1'])).code).toBe(1);
  expect(await readdir(folder)).not.toContain('backups');
});
