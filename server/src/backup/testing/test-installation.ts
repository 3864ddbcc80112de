import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bindInstallation } from '../../secret/installation.js';
import type { Database, Storage } from '../../storage/storage.js';
import type { RowSource } from '../../storage/transfer/row-source.js';
import { withSnapshot } from '../../storage/transfer/snapshot.js';
import { createTestDatabase, type TestDatabase } from '../../storage/testing/test-database.js';
import type { BackupPlace } from '../backup-place.js';

export const SECRET = 'u8Xw0Zp3-Kq7LmN2vB5cR9tYf4HjGd1sAeQoIi6UyTz';
export const OTHER_SECRET = 'c1Vb7Nq2-Wx5ZlK8mJ4hT9rEf3GdYs6pAoUiQe0SxRy';

/** Milliseconds since the epoch, always the same. */
export const clock = (): number => Date.UTC(2026, 0, 2, 3, 4, 5);

/** A database of a test's own with where it is, and a folder beside it for files. */
export interface TestInstallation {
  readonly place: BackupPlace;
  readonly storage: Storage;
  readonly folder: string;
  remove(): Promise<void>;
}

const secretKey = (secret: string) => createSecretKey(Buffer.from(secret));

export const bind = (db: Database, secret = SECRET): Promise<void> =>
  bindInstallation(db, secretKey(secret), clock);

const databaseUrlOf = ({ place }: TestDatabase) => ('url' in place ? place.url : undefined);

/** Makes one on the engine of the run; it is empty, and of no secret yet. */
export async function createTestInstallation(): Promise<TestInstallation> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'signpost-backup-'));
  const dataDir = 'file' in database.place ? dirname(database.place.file) : folder;
  const storage = await database.open();
  return {
    place: { dataDir, databaseUrl: databaseUrlOf(database), secret: SECRET },
    storage,
    folder,
    async remove() {
      await storage.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Rows as text, by table. */
export async function textOfRows(source: RowSource): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows = new Map<string, string[]>(source.tables.map(({ name }) => [name, []]));
  for await (const batch of source.batches()) {
    rows.get(batch.table.name)?.push(...batch.rows.map((row) => JSON.stringify(row)));
  }
  return Object.fromEntries(rows);
}

/** All rows that a backup must keep, as text by table. */
export const keptRows = (db: Database): ReturnType<typeof textOfRows> => withSnapshot(db, textOfRows);
