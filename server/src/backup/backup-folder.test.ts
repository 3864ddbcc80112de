import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../platform/time-units.js';
import { backupName, makeBackupFolder, removeOldBackups } from './backup-folder.js';

const nowMs = Date.UTC(2026, 10, 22, 2, 30, 5, 600);
const daysAgo = (days: number) => backupName(nowMs - days * DAY_MS);

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'signpost-rotation-'))));
afterEach(() => rm(folder, { recursive: true }));

const fill = async (...names: string[]) => {
  for (const name of names) await writeFile(join(folder, name), '');
};

test('names a backup after its time', () => {
  expect(backupName(nowMs)).toBe('signpost-2026-11-22T023005Z.backup');
});

test('removes all but the given number of newest backups', async () => {
  await fill(...[3, 0, 2, 4, 1].map(daysAgo));
  expect(await removeOldBackups(folder, 3, nowMs)).toEqual([daysAgo(4), daysAgo(3)]);
  expect((await readdir(folder)).toSorted()).toEqual([2, 1, 0].map(daysAgo));
  expect(await removeOldBackups(folder, 3, nowMs)).toEqual([]);
});

test('keeps the backup just made, even after the clock was set back', async () => {
  await fill(daysAgo(0), daysAgo(-1), daysAgo(-2));
  await removeOldBackups(folder, 1, nowMs);
  expect(await readdir(folder)).toEqual([daysAgo(0)]);
});

test('removes the draft of a backup from two days ago, but not one from half a day ago or files with other names', async () => {
  const draft = (days: number) => `${daysAgo(days)}.0a1b2c3d.partial`;
  const others = ['before-update.backup', `${daysAgo(5)}.copy`, `my-${daysAgo(5)}`, 'signpost.db'];
  await fill(daysAgo(0), draft(0.5), draft(2), ...others);
  await removeOldBackups(folder, 1, nowMs);
  expect(await readdir(folder)).toEqual(expect.arrayContaining([daysAgo(0), draft(0.5), ...others]));
  expect(await readdir(folder)).not.toContain(draft(2));
});

test('explains the error if a path is not a folder, or if an old backup cannot be removed', async () => {
  await fill('file');
  await expect(makeBackupFolder(join(folder, 'file'))).rejects.toThrow(/With --keep, name a folder/u);
  await mkdir(join(folder, daysAgo(9)));
  await expect(removeOldBackups(folder, 1, nowMs)).rejects.toThrow(
    /^The backup was written, but the old one/u,
  );
});
