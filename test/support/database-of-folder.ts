import { createTestDatabase, type TestDatabase } from '../../server/src/storage/testing/test-database.js';

const secret = '3yLxG7q0bV9sT4wZ1mNcR8kD5fHjP2aE';
const databases = new Map<string, Promise<TestDatabase>>();

/** The variables by which what runs on a data folder uses the engine of the run; none where that is SQLite. */
export async function databaseVariables(dataDir: string): Promise<Readonly<Record<string, string>>> {
  if (process.env['SIGNPOST_TEST_DATABASE_URL'] === undefined) return {};
  const creating = databases.get(dataDir) ?? createTestDatabase();
  databases.set(dataDir, creating);
  const { place } = await creating;
  return 'url' in place ? { SIGNPOST_DATABASE_URL: place.url, SIGNPOST_SECRET: secret } : {};
}

/** Removes the database of a data folder, where it has one of its own. */
export async function removeDatabase(dataDir: string): Promise<void> {
  const database = await databases.get(dataDir);
  databases.delete(dataDir);
  await database?.remove();
}
