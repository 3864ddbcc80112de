import { chmod, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/fixtures/postcodes/temporary-folder.js';
import { noteBackup, readLastBackupMs } from './last-backup.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => (folder = await temporaryFolder()));
afterEach(() => folder.remove());

test('every user of the machine may read the noted time of the last backup', async () => {
  await noteBackup(folder.dataDir, '2026-02-03T04:05:06.000Z');
  const file = join(folder.dataDir, 'last-backup');
  expect((await stat(file)).mode & 0o444).toBe(0o444);
  expect(await readLastBackupMs(folder.dataDir)).toBe(Date.UTC(2026, 1, 3, 4, 5, 6));
});

test('the time of the last backup is the modification time of its file if that cannot be read, and 0 without the file', async () => {
  expect(await readLastBackupMs(folder.dataDir)).toBe(0);
  await noteBackup(folder.dataDir, '2026-02-03T04:05:06.000Z');
  const file = join(folder.dataDir, 'last-backup');
  const at = new Date('2026-03-04T05:06:07.000Z');
  await utimes(file, at, at);
  await chmod(file, 0);
  // Root can read the file in spite of its mode.
  const expected = process.getuid?.() === 0 ? Date.UTC(2026, 1, 3, 4, 5, 6) : at.getTime();
  expect(await readLastBackupMs(folder.dataDir)).toBe(expected);
});
