import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRET } from '../../../test/fixtures/backup/test-installation.js';
import {
  allAccepted,
  withInstallation,
  useCredentials,
  withTokens,
} from '../../../test/fixtures/backup/used-installation.js';
import {
  bareSqlite,
  secretsOf,
  preservedTables,
  releases,
  rowsOf,
  stepsOf,
  writePostgresql,
  writeSqlite,
} from '../../../test/fixtures/releases/release-data.js';
import { createEmptyDatabase, type TestDatabase } from '../../../test/fixtures/storage/test-database.js';
import { applyMigrations, MIGRATIONS } from '../storage/migrations/migrate.js';
import { openTemporaryDatabase } from '../storage/sqlite/sqlite-storage.js';

describe.each(releases)('version %s', (release) => {
  let dataDir: string;
  let file: string;
  let database: TestDatabase;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'signpost-upgrade-'));
    file = join(dataDir, 'signpost.db');
    await writeSqlite(release, file);
    database = await createEmptyDatabase();
  });
  afterEach(async () => {
    await database.remove();
    await rm(dataDir, { recursive: true });
  });

  test('data of an older version is migrated with every value and every count, and its keys and tokens stay valid', async () => {
    const databaseUrl = 'url' in database.location ? database.location.url : undefined;
    if (databaseUrl !== undefined) await writePostgresql(file, databaseUrl);
    const old = bareSqlite(file);
    const tables = await preservedTables(old);
    const before = await rowsOf(old, tables);
    await old.destroy();
    const location = { dataDir, databaseUrl, secret: SECRET };
    await withInstallation(location, async ({ storage: { db } }) => {
      expect(await stepsOf(db)).toEqual(MIGRATIONS.map(({ name }) => name));
      const after = await rowsOf(db, tables);
      expect(before['usage_days']).not.toEqual([]);
      for (const [name, rows] of Object.entries(before))
        expect([name, after[name]?.map(String).toSorted()]).toEqual([name, rows.map(String).toSorted()]);
    });
    const held = await secretsOf(release);
    // On PostgreSQL, with the real clock, the old access token and the session have expired.
    const { accessToken } = await withInstallation(location, (one) =>
      withTokens(one, (tokens) => tokens.refresh(held.refreshToken, '192.0.2.1')),
    );
    const { accountId } = held;
    expect(await useCredentials(location, { ...held, accessToken })).toMatchObject({
      key: { ...allAccepted.key, accountId },
      verified: accountId,
      refreshed: true,
      shown: true,
    });
  });

  test('an older version has the tables that its migrations make today, so no released migration was changed', async () => {
    const schemaOf = (db: ReturnType<typeof bareSqlite>) =>
      db('sqlite_master').whereNot('name', 'like', 'sqlite_%').orderBy('name').pluck('sql');
    const old = bareSqlite(file);
    const today = openTemporaryDatabase();
    await applyMigrations(today, MIGRATIONS.slice(0, (await stepsOf(old)).length));
    expect(await schemaOf(today)).toEqual(await schemaOf(old));
    await old.destroy();
    await today.destroy();
  });
});
