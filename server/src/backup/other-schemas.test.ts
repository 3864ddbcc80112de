import { createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { deriveKey } from '../secret/sealing.js';
import { secretFingerprint } from '../secret/installation.js';
import { applyMigrations, MIGRATIONS } from '../storage/migrations/migrate.js';
import { openTemporaryDatabase } from '../storage/sqlite/sqlite-storage.js';
import { readRows } from '../storage/transfer/snapshot.js';
import { readTableShape, type RowBatch, type TableShape } from '../storage/transfer/row-source.js';
import { backUpInstallation } from './back-up-installation.js';
import { type BackupHeader, backupLines } from './backup-format.js';
import { restoreInstallation } from './restore-installation.js';
import { insertAwkwardRows } from '../../../test/fixtures/backup/awkward-rows.js';
import {
  bind,
  clock,
  createTestInstallation,
  keptRows,
  SECRET,
  type TestInstallation,
} from '../../../test/fixtures/backup/test-installation.js';
import { writeWholeFile } from './backup-file.js';

const secret = createSecretKey(Buffer.from(SECRET));

let installation: TestInstallation;
let path: string;
beforeEach(async () => {
  installation = await createTestInstallation();
  path = join(installation.folder, 'signpost.backup');
});
afterEach(() => installation.remove());

/** Writes a backup as a program with these migrations would have written it. */
async function writeBackup(
  migrations: readonly string[],
  tables: readonly TableShape[],
  batches: () => AsyncIterable<RowBatch>,
): Promise<void> {
  const header: BackupHeader = {
    format: 'signpost-backup',
    formatVersion: 1,
    program: '0.0.1',
    createdAt: '2026-01-01T00:00:00.000Z',
    secretFingerprint: secretFingerprint(secret),
    migrations: [...migrations],
    highestKeyId: 7,
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
  };
  const source = { tables, highestKeyId: 7, batches };
  const lines = backupLines(header, source, deriveKey(secret, 'backup-authentication'), () => undefined);
  await writeWholeFile(path, lines, randomBytes);
}

const restore = (location = installation.location) =>
  restoreInstallation({ location, path, force: false, randomBytes });

test('restores and migrates a backup of an older version', async () => {
  const old = openTemporaryDatabase();
  await applyMigrations(old, MIGRATIONS.slice(0, 1));
  const account = { id: 'acc_1', email: 'ada@example.org', password_hash: 'h', created_at: 1 };
  await old('installation').insert({ id: 1, secret_fingerprint: secretFingerprint(secret), created_at: 1 });
  await old('accounts').insert({
    ...account,
    is_operator: true,
    has_api_access: false,
    must_change_password: false,
  });
  const tables: TableShape[] = [];
  for (const name of ['installation', 'accounts', 'projects']) tables.push(await readTableShape(old, name));
  await writeBackup(['001-accounts-and-keys'], tables, async function* batches() {
    for (const table of tables) yield* readRows(old, table, ['id']);
  });

  expect(await restore()).toMatchObject({
    program: '0.0.1',
    rows: { installation: 1, accounts: 1, usage_minutes: 0 },
  });
  await old.destroy();
  const { db } = installation.storage;
  expect(await db('installation').select('id', 'issuer')).toEqual([{ id: 1, issuer: null }]);
  expect(await db('accounts').pluck('email')).toEqual(['ada@example.org']);
  const project = { id: 'prj_1', account_id: 'acc_1', name: 'p', created_at: 1 };
  await db('projects').insert(project);
  await db('api_keys').insert({ project_id: 'prj_1', hash: 'h', prefix: 'p', created_at: 1 });
  expect(await db('api_keys').pluck('id')).toEqual([8]);
});

test('a restore changes nothing in the database if one row cannot be restored', async () => {
  const { db } = installation.storage;
  await bind(db);
  const before = await keptRows(db);
  const projects = await readTableShape(db, 'projects');
  const table = await readTableShape(db, 'installation');
  await writeBackup(
    MIGRATIONS.map(({ name }) => name),
    [table, projects],
    async function* batches() {
      await Promise.resolve();
      yield { table, rows: [[1, 1, 'https://x.example', null, null, secretFingerprint(secret), null]] };
      yield { table: projects, rows: [['acc_of_nobody', 1, null, 'prj_1', 'p']] };
    },
  );
  await expect(restore()).rejects.toThrow(/foreign key/iu);
  expect(await keptRows(db)).toEqual(before);
});

test('restores a backup of one database engine in another, without loss', async () => {
  const { location, storage, folder } = installation;
  await bind(storage.db);
  await insertAwkwardRows(storage.db);
  const before = await keptRows(storage.db);
  const back = async (from: typeof location) =>
    backUpInstallation({ location: from, path, force: true, clock, randomBytes });
  await back(location);
  const sqlite = { ...location, dataDir: join(folder, 'sqlite'), databaseUrl: undefined };
  await restore(sqlite);
  await storage.db('usage_days').delete();
  await storage.db('return_urls').delete();
  await back(sqlite);
  await restoreInstallation({ location, path, force: true, randomBytes });
  const after = await keptRows(storage.db);
  // Each engine sorts texts in its own order.
  for (const [name, rows] of Object.entries(before)) expect(after[name]?.toSorted()).toEqual(rows.toSorted());
});
