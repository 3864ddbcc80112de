import { applyMigrations } from '../migrate.js';
import { MIGRATIONS } from '../migrations/index.js';
import { openTemporaryDatabase } from '../sqlite/temporary.js';
import { writeHighestKeyId } from './highest-key-id.js';
import { insertRows } from './insert-rows.js';
import type { RowSource } from './row-source.js';
import { withSnapshot } from './snapshot.js';

/** The names of the steps that lead to this version's schema. */
export const THIS_SCHEMA: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** Whether rows of a schema made by these steps can become rows of this version's. */
export const isKnownSchema = (migrations: readonly string[]): boolean =>
  migrations.length > 0 &&
  migrations.length <= THIS_SCHEMA.length &&
  migrations.every((name, index) => name === THIS_SCHEMA[index]);

/**
 * Hands over rows as this version's schema has them: those of an older one go through a temporary database, which is
 * migrated as any other would be.
 */
export async function withRowsOfThisVersion<Result>(
  source: RowSource,
  migrations: readonly string[],
  use: (source: RowSource) => Promise<Result>,
): Promise<Result> {
  if (migrations.length === THIS_SCHEMA.length) return use(source);
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
