import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { systemRandomBytes as randomBytes } from '../platform/random.js';
import { openStorage } from '../storage/open-storage.js';
import { withSnapshot } from '../storage/transfer/snapshot.js';
import type { Database } from '../storage/storage.js';
import { CLI_ACTOR, createAudit } from '../audit/audit.js';
import { COPIED_TABLES } from '../storage/transfer/copied-tables.js';
import { backUpInstallation } from './back-up-installation.js';
import { databaseOf } from './installation-location.js';
import { restoreInstallation } from './restore-installation.js';
import { insertAwkwardRows, KEY_HASH } from '../../../test/fixtures/backup/awkward-rows.js';
import {
  bind,
  clock,
  createTestInstallation,
  keptRows,
  OTHER_SECRET,
  textOfRows,
  type TestInstallation,
} from '../../../test/fixtures/backup/test-installation.js';

let from: TestInstallation;
let to: TestInstallation;
let path: string;

beforeEach(async () => {
  from = await createTestInstallation();
  to = await createTestInstallation();
  path = join(from.folder, 'signpost.backup');
  await bind(from.storage.db);
  await insertAwkwardRows(from.storage.db);
});

afterEach(async () => {
  await from.remove();
  await to.remove();
});

const backUp = (force = false) =>
  backUpInstallation({ location: from.location, path, force, clock, randomBytes });
const restore = (force = false, location = to.location) =>
  restoreInstallation({ location, path, force, randomBytes });

const addKey = async ({ storage }: TestInstallation, hash: string) => {
  const row = { project_id: 'prj_1', hash, prefix: 'sp_live_x', created_at: 1 };
  await storage.db('api_keys').insert(row);
  const [id]: number[] = await storage.db('api_keys').where({ hash }).pluck('id');
  return id;
};

const addOwner = async ({ storage }: TestInstallation) => {
  const flags = { is_operator: true, has_api_access: true, must_change_password: true };
  const account = { id: 'acc_new', email: 'new@example.org', password_hash: 'h', created_at: 1, ...flags };
  await storage.db('accounts').insert(account);
  await storage.db('projects').insert({ id: 'prj_1', account_id: 'acc_new', name: 'p', created_at: 1 });
};

test('a backup includes every table, except those left out on purpose', async () => {
  const { db, dialect } = from.storage;
  const names: string[] =
    dialect === 'sqlite'
      ? await db('sqlite_master').where({ type: 'table' }).pluck('name')
      : await db('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename');
  const leftOut = [
    ...[
      'capture_link_chunks',
      'failed_attempts',
      'limit_alerts',
      'linked_file_chunks',
      'linked_files',
      'migrations',
    ],
    ...['migrations_lock', 'oauth_replaced_tokens', 'one_time_links', 'sessions', 'tries', 'write_probe'],
  ];
  expect(names.filter((name) => !name.startsWith('sqlite_')).sort()).toEqual(
    [...COPIED_TABLES.map(({ name }) => name), ...leftOut].sort(),
  );
});

test('restores every row of every table of a backup into an empty database', async () => {
  const before = await keptRows(from.storage.db);
  const backup = await backUp();
  const report = await restore();
  expect(await keptRows(to.storage.db)).toEqual(before);
  expect(Object.values(before).every((rows) => rows.length > 0)).toBe(true);
  expect(report.rows).toEqual(backup.rows);
  expect(report.rows).toMatchObject({ accounts: 3, api_keys: 1, usage_days: 2_348 });
  expect(report).toMatchObject({ createdAt: '2026-01-02T03:04:05.000Z', replaced: { accounts: 0, keys: 0 } });
});

test('a backup leaves out sessions and counts of failures, so that nobody is signed in after a restore', async () => {
  await backUp();
  const text = gunzipSync(await readFile(path)).toString();
  expect(text).toContain(KEY_HASH);
  expect(text).not.toMatch(/session-hash|192\.0\.2\.1/u);
  await restoreInstallation({ location: from.location, path, force: true, randomBytes });
  expect(await from.storage.db('sessions').select()).toEqual([]);
});

test('a backup is a file that only its owner can read, and leaves no draft', async () => {
  const { bytes } = await backUp();
  const { mode, size } = await stat(path);
  expect([(mode & 0o777).toString(8), size]).toEqual(['600', bytes]);
  const beside = (await readdir(from.folder)).filter((name) => name.startsWith('signpost.backup'));
  expect(beside).toEqual(['signpost.backup']);
});

test('a backup replaces an existing file only with force', async () => {
  await writeFile(path, 'mine');
  await expect(backUp()).rejects.toThrow(/signpost\.backup already exists.*--force/u);
  expect(await readFile(path, 'utf8')).toBe('mine');
  await backUp(true);
  await restore();
});

test('a backup does not include changes that are made while the rows are read', async () => {
  const { db } = from.storage;
  const before = await keptRows(db);
  const reader = await openStorage(databaseOf(from.location));
  const read = await withSnapshot(reader.db, async (source) => {
    await db('return_urls').delete();
    await db('usage_days').where('day', '>', 5).update({ requests: 9 });
    return textOfRows(source);
  });
  await reader.close();
  expect(read).toEqual(before);
  expect(await keptRows(db)).not.toEqual(before);
});

test('restoring undoes changes made since the backup', async () => {
  await backUp();
  const before = await keptRows(from.storage.db);
  await from.storage.db('return_urls').delete();
  await from.storage.db('accounts').where({ id: 'acc_3' }).update({ name: 'later' });
  await restoreInstallation({ location: from.location, path, force: true, randomBytes });
  expect(await keptRows(from.storage.db)).toEqual(before);
});

test('restoring merges the audit: later entries stay, erased addresses stay erased, and missing entries come back', async () => {
  const audit = () => from.storage.db('audit').orderBy('id');
  const [old] = await audit();
  await backUp();
  await from.storage.db('audit').update({ address: null });
  const late = { ...old, id: 'mi9000000000000000000000', detail: 'late' };
  await from.storage.db('audit').insert(late);
  const alsoStore = (transaction: Database) =>
    createAudit({ clock, randomBytes }).record(transaction, CLI_ACTOR, { kind: 'backup.restored' });
  await restoreInstallation({ location: from.location, path, force: true, randomBytes, alsoStore });
  expect(await audit()).toEqual([
    expect.objectContaining({ kind: 'backup.restored', via: 'cli' }),
    { ...old, address: null },
    late,
  ]);
  await restore();
  expect(await to.storage.db('audit')).toEqual([old]);
});

test('after a restore, the next key gets an id that no key had before the restore or in the backup', async () => {
  await backUp();
  const late = await addKey(from, 'late');
  await restoreInstallation({ location: from.location, path, force: true, randomBytes });
  expect(await addKey(from, 'later')).toBeGreaterThan(late ?? Infinity);
  await restore();
  // Key 2 was deleted before the backup, so 3 is the next id.
  expect(await addKey(to, 'next')).toBe(3);
});

test('a restored key whose id another key had gets an unused id, also in its usage, and keeps it at the next restore', async () => {
  await backUp();
  await bind(to.storage.db);
  await addOwner(to);
  expect(await addKey(to, 'made before the restore')).toBe(1);
  await restore(true);
  const keys: unknown[] = await to.storage.db('api_keys').select('id', 'hash', 'replaces_id');
  expect(keys).toEqual([{ id: 3, hash: KEY_HASH, replaces_id: 3 }]);
  expect(await to.storage.db('usage_days').distinct('key_id').pluck('key_id')).toEqual([3]);
  for (const table of ['usage_minutes', 'usage_counts', 'request_log'])
    expect(await to.storage.db(table).pluck('key_id')).toEqual([3]);
  await restore(true);
  expect(await to.storage.db('api_keys').pluck('id')).toEqual([3]);
});

test('a restore keeps the public address of the database, or restores that of the backup if the database has none', async () => {
  await from.storage.db('installation').update({ issuer: 'https://old.example' });
  await backUp();
  await restore();
  expect(await to.storage.db('installation').pluck('issuer')).toEqual(['https://old.example']);
  await to.storage.db('installation').update({ issuer: 'https://new.example' });
  await restore(true);
  expect(await to.storage.db('installation').pluck('issuer')).toEqual(['https://new.example']);
});

test('a restore replaces existing accounts only with force', async () => {
  await backUp();
  await bind(to.storage.db);
  await addOwner(to);
  const before = await keptRows(to.storage.db);
  await expect(restore()).rejects.toThrow(/holds data \(accounts: 1, API keys: 0\).*--force/u);
  expect(await keptRows(to.storage.db)).toEqual(before);
  expect(await restore(true)).toMatchObject({ replaced: { accounts: 1, keys: 0 } });
  expect(await to.storage.db('accounts').pluck('id')).toEqual(['acc_1', 'acc_2', 'acc_3']);
});

test('rejects a restore into the database of another installation, even with force', async () => {
  await backUp();
  await bind(to.storage.db, OTHER_SECRET);
  const before = await keptRows(to.storage.db);
  await expect(restore(true)).rejects.toThrow(/another installation's/u);
  expect(await keptRows(to.storage.db)).toEqual(before);
});

test('restores nothing without the right secret, and creates no secret', async () => {
  await backUp();
  const dataDir = join(to.folder, 'new');
  const bare = { ...to.location, dataDir, secret: undefined };
  await expect(restore(false, bare)).rejects.toThrow(
    /secret that the backup belongs to is missing.*SIGNPOST_SECRET/u,
  );
  await expect(restore(false, { ...bare, secret: OTHER_SECRET })).rejects.toThrow(
    /another secret.*SIGNPOST_SECRET/u,
  );
  await expect(readdir(dataDir)).rejects.toThrow(/ENOENT/u);
  expect(await to.storage.db('installation').select()).toEqual([]);
});
