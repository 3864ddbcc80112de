import { readdir, utimes, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { createAudit, type Actor } from '../audit/audit.js';
import { listEntries } from '../audit/read-audit.js';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { insertAwkwardRows } from '../../../test/fixtures/backup/awkward-rows.js';
import {
  bind,
  clock,
  createTestInstallation,
  keptRows,
  OTHER_SECRET,
  type TestInstallation,
} from '../../../test/fixtures/backup/test-installation.js';
import { createBackupDownloads } from './backup-download.js';
import { restoreInstallation } from './restore-installation.js';

const ada: Actor = { accountId: 'acc_ada', address: '192.0.2.7', via: 'console' };

let from: TestInstallation;
let to: TestInstallation;

beforeEach(async () => {
  [from, to] = [await createTestInstallation(), await createTestInstallation()];
  await bind(from.storage.db);
  await insertAwkwardRows(from.storage.db);
});
afterEach(async () => {
  await from.remove();
  await to.remove();
});

const downloadsOf = ({ location, storage }: TestInstallation) =>
  createBackupDownloads({
    location,
    db: storage.db,
    clock,
    randomBytes,
    audit: createAudit({ clock, randomBytes }),
    onNoteFailed: (error) => {
      throw error;
    },
  });

const left = async () =>
  (await readdir(from.location.dataDir)).filter((name) => /^download-|\.partial$/u.test(name));

test('restores everything from a downloaded backup, and leaves no file of it behind', async () => {
  const downloads = downloadsOf(from);
  await from.storage.db('installation').update({ sign_up: 'closed' });
  const rows = await keptRows(from.storage.db);
  expect(await downloads.lastBackupMs()).toBe(0);
  const { name, bytes, body } = await downloads.make(ada);
  expect(name).toBe('signpost-2026-01-02T030405Z.backup');
  expect(await left()).toEqual([]);
  const content = await buffer(body);
  expect(content).toHaveLength(bytes);
  expect(await downloads.lastBackupMs()).toBe(clock());

  const path = join(to.folder, 'downloaded.backup');
  await writeFile(path, content);
  await restoreInstallation({ location: to.location, path, force: false, randomBytes });
  expect(await keptRows(to.storage.db)).toEqual(rows);
});

test('the audit has an entry with who downloaded a backup', async () => {
  (await downloadsOf(from).make(ada)).body.destroy();
  const [entry] = await listEntries(from.storage.db, { limit: 1, kind: 'backup.made' });
  expect(entry).toMatchObject({
    actor: { id: 'acc_ada' },
    address: '192.0.2.7',
    detail: 'signpost-2026-01-02T030405Z.backup (downloaded)',
  });
});

test('rejects a download while another backup is being made', async () => {
  const downloads = downloadsOf(from);
  const making = downloads.make(ada);
  await expect(downloads.make(ada)).rejects.toThrow('Another backup is being made. Wait until it is done');
  (await making).body.destroy();
  (await downloads.make(ada)).body.destroy();
});

test('makes no backup with a wrong secret, and leaves no file behind', async () => {
  const downloads = downloadsOf({ ...from, location: { ...from.location, secret: OTHER_SECRET } });
  await expect(downloads.make(ada)).rejects.toThrow(/another secret/u);
  expect(await left()).toEqual([]);
});

describe('the file of a killed server', () => {
  const OLD = ['download-0123456789abcdef.backup', 'download-0123456789abcdef.backup.01234567.partial'];
  const FRESH = 'download-fedcba9876543210.backup.01234567.partial';
  const OTHER = ['download-of-mine.backup', 'signpost-2026-01-02T030405Z.backup.01234567.partial'];

  beforeEach(async () => {
    for (const name of [...OLD, FRESH, ...OTHER]) {
      const path = join(from.location.dataDir, name);
      await writeFile(path, 'x');
      const writtenMs = clock() - (name === FRESH ? 1_800_000 : 7_200_000);
      await utimes(path, writtenMs / 1_000, writtenMs / 1_000);
    }
  });

  test('a download removes files that a killed server left two hours ago, and no files with other names', async () => {
    (await downloadsOf(from).make(ada)).body.destroy();
    const isShared = from.location.databaseUrl !== undefined;
    expect((await left()).sort()).toEqual(isShared ? [FRESH, ...OTHER] : OTHER);
  });

  test('if servers may share the folder, leftover files from two hours ago are removed, but one from half an hour ago is not', async () => {
    const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
    const downloads = downloadsOf({ ...from, location: { ...from.location, databaseUrl } });
    await expect(downloads.make(ada)).rejects.toThrow();
    expect((await left()).sort()).toEqual([FRESH, ...OTHER].sort());
  });
});
