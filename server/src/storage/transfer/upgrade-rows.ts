import { applyMigrations, MIGRATIONS } from '../migrations/migrate.js';
import { openTemporaryDatabase } from '../sqlite/sqlite-storage.js';
import { writeHighestKeyId } from './key-ids.js';
import { insertRows } from './replace-rows.js';
import type { RowSource } from './row-source.js';
import { withSnapshot } from './snapshot.js';

/** The names of the steps that lead to this version's schema. */
export const CURRENT_SCHEMA: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** Whether rows of a schema made by these steps can become rows of this version's. */
export const isKnownSchema = (migrations: readonly string[]): boolean =>
  migrations.length > 0 &&
  migrations.length <= CURRENT_SCHEMA.length &&
  migrations.every((name, index) => name === CURRENT_SCHEMA[index]);

/**
 * Hands over rows as this version's schema has them: those of an older one go through a temporary database, which is
 * migrated as any other would be.
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
