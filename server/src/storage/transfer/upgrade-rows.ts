import { applyMigrations, MIGRATIONS } from '../migrations/migrate.js';
import { openTemporaryDatabase } from '../sqlite/sqlite-storage.js';
import { writeHighestKeyId } from './key-ids.js';
import { insertRows } from './replace-rows.js';
import type { RowSource } from './row-source.js';
import { withSnapshot } from './snapshot.js';

/** The names of the migrations that lead to the current schema. */
export const CURRENT_SCHEMA: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** Whether rows of a schema made by these migrations can be upgraded to the current schema. */
export const isKnownSchema = (migrations: readonly string[]): boolean =>
  migrations.length > 0 &&
  migrations.length <= CURRENT_SCHEMA.length &&
  migrations.every((name, index) => name === CURRENT_SCHEMA[index]);

/**
 * Calls `use` with the rows in the current schema. Rows of an older schema go through a temporary database, which is
 * migrated like any other.
 */
export async function withUpgradedRows<Result>(
  source: RowSource,
  migrations: readonly string[],
  use: (source: RowSource) => Promise<Result>,
): Promise<Result> {
  if (migrations.length === CURRENT_SCHEMA.length) return use(source);
  const temporary = openTemporaryDatabase();
  try {
    await temporary.raw('PRAGMA foreign_keys = ON');
    await temporary.transaction(async (transaction) => {
      await applyMigrations(transaction, MIGRATIONS.slice(0, migrations.length));
      await insertRows(transaction, source);
      await writeHighestKeyId(transaction, source.highestKeyId);
      await applyMigrations(transaction, MIGRATIONS);
    });
    return await withSnapshot(temporary, use);
  } finally {
    await temporary.destroy();
  }
}
