import { join } from 'node:path';
import knex from 'knex';
import { temporaryFolder } from '../../../../test/fixtures/postcodes/temporary-folder.js';
import { applyMigrations, MIGRATIONS } from '../migrations/migrate.js';
import { openSqliteStorage } from './sqlite-storage.js';

test('upgrading a database logs one line with its steps; creating one or opening the upgraded one logs nothing', async () => {
  const folder = await temporaryFolder();
  const file = join(folder.dataDir, 'signpost.db');
  const lines: string[] = [];
  const open = async (at = file) => (await openSqliteStorage(at, (line) => lines.push(line))).close();
  try {
    await open(join(folder.dataDir, 'new.db'));
    expect(lines).toEqual([]);
    const old = knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true });
    await old.raw('PRAGMA application_id = 1399287408');
    await applyMigrations(old, MIGRATIONS.slice(0, -2));
    await old.destroy();
    await open();
    const names = MIGRATIONS.slice(-2).map(({ name }) => name);
    expect(lines).toEqual([
      `The database was upgraded for this version: ${names.join(', ')}. Older versions cannot use it any more.`,
    ]);
    await open();
    expect(lines).toHaveLength(1);
  } finally {
    await folder.remove();
  }
});
