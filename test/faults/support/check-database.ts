import { join } from 'node:path';
import { openStorage } from '../../../server/src/storage/open-storage.js';

/** Lets SQLite check the database of a data folder. Returns its first row: `{ integrity_check: 'ok' }` if undamaged. */
export async function integrityOf(dataDir: string): Promise<unknown> {
  const { db, close } = await openStorage({ file: join(dataDir, 'signpost.db') });
  try {
    const [row]: unknown[] = await db.raw('PRAGMA integrity_check');
    return row;
  } finally {
    await close();
  }
}
