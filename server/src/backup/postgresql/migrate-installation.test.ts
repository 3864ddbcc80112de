import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemRandomBytes as randomBytes } from '../../platform/random.js';
import { openStorage } from '../../storage/open-storage.js';
import { takeServerLock } from '../../storage/sqlite/server-lock.js';
import type { Database } from '../../storage/storage.js';
import type { InstallationLocation } from '../installation-location.js';
import { migrateInstallation } from '../migrate-installation.js';
import { insertAwkwardRows } from '../../../../test/fixtures/backup/awkward-rows.js';
import {
  bind,
  clock,
  createTestInstallation,
  keptRows,
  OTHER_SECRET,
  type TestInstallation,
} from '../../../../test/fixtures/backup/test-installation.js';

let target: TestInstallation;
let location: InstallationLocation;

const withSqlite = async <Result>(work: (db: Database) => Promise<Result>): Promise<Result> => {
  const storage = await openStorage({ file: join(location.dataDir, 'signpost.db') });
  try {
    return await work(storage.db);
  } finally {
    await storage.close();
  }
};

beforeEach(async () => {
  target = await createTestInstallation();
  location = { ...target.location, dataDir: join(target.folder, 'data') };
  await withSqlite(async (db) => {
    await bind(db);
    await insertAwkwardRows(db);
  });
});

afterEach(() => target.remove());

const migrate = (from = location) => migrateInstallation({ location: from, clock, randomBytes });
const emptyTarget = async () => {
  expect(await target.storage.db('accounts').select()).toEqual([]);
  expect(await target.storage.db('usage_days').select()).toEqual([]);
};

test('copies every row unchanged to PostgreSQL, and leaves the SQLite rows in place', async () => {
  const before = await withSqlite(keptRows);
  const tables = await migrate();
  const after = await keptRows(target.storage.db);
  for (const [name, rows] of Object.entries(before)) expect(after[name]?.toSorted()).toEqual(rows.toSorted());
  expect(await withSqlite(keptRows)).toEqual(before);
  expect(tables.map(({ table, rows }) => [table, rows])).toEqual(
    Object.entries(before).map(([name, rows]) => [name, rows.length]),
  );
  await target.storage.db('api_keys').insert({ project_id: 'prj_1', hash: 'n', prefix: 'p', created_at: 1 });
  expect(await target.storage.db('api_keys').where({ hash: 'n' }).pluck('id')).toEqual([3]);
});

test('rejects a PostgreSQL database that is not empty', async () => {
  await migrate();
  const before = await keptRows(target.storage.db);
  await expect(migrate()).rejects.toThrow(/not empty.*accounts: 3, API keys: 1/u);
  expect(await keptRows(target.storage.db)).toEqual(before);
});

test('requires that the server that uses the SQLite database is stopped first', async () => {
  const lock = await takeServerLock(join(location.dataDir, 'server.lock'));
  await expect(migrate()).rejects.toThrow(/A server runs on the data folder.*Stop it first/u);
  await lock.release();
  await emptyTarget();
  await migrate();
});

test('explains why it rejects another secret, no secret, no target, no SQLite database, or a target that does not respond', async () => {
  await expect(migrate({ ...location, secret: OTHER_SECRET })).rejects.toThrow(
    /SIGNPOST_SECRET is not the secret/u,
  );
  await expect(migrate({ ...location, secret: undefined })).rejects.toThrow(/is missing/u);
  await expect(migrate({ ...location, databaseUrl: undefined })).rejects.toThrow(
    /Set SIGNPOST_DATABASE_URL/u,
  );
  await expect(migrate({ ...location, dataDir: join(location.dataDir, 'no') })).rejects.toThrow(
    /no SQLite database/u,
  );
  const nowhere = new URL(location.databaseUrl ?? '');
  nowhere.port = '1';
  await expect(migrate({ ...location, databaseUrl: nowhere.href })).rejects.toThrow(
    /No PostgreSQL answers at/u,
  );
  await emptyTarget();
});

test('detects a row that PostgreSQL changed, and leaves PostgreSQL empty', async () => {
  const { db } = target.storage;
  await db.raw(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.requests = NEW.requests + 1; RETURN NEW; END $$`);
  await db.raw(`CREATE TRIGGER spoil BEFORE INSERT ON usage_days
    FOR EACH ROW WHEN (NEW.day = 2000) EXECUTE FUNCTION spoil()`);
  await expect(migrate()).rejects.toThrow(
    /usage_days did not arrive as it was: 2348 rows were there, 2348 arrived/u,
  );
  await emptyTarget();
});

test('names the column of a text that PostgreSQL cannot store, and leaves PostgreSQL empty', async () => {
  await withSqlite((db) => db('accounts').where({ id: 'acc_3' }).update({ name: 'a\0b' }));
  await expect(migrate()).rejects.toThrow(/accounts\.name holds the character NUL/u);
  await emptyTarget();
});

test('names the column of a value of the wrong type, and leaves PostgreSQL empty', async () => {
  await withSqlite((db) => db('usage_days').where({ day: 20_001 }).update({ requests: 'many' }));
  await expect(migrate()).rejects.toThrow(
    /usage_days\.requests holds a value that is not of the kind integer/u,
  );
  await emptyTarget();
  expect((await readFile(join(location.dataDir, 'signpost.db'))).length).toBeGreaterThan(0);
});
