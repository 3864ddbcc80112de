import { join } from 'node:path';
import { openStorage } from '../../../server/src/storage/open-storage.js';

/** Lets SQLite check every page and index of a data folder's database; `ok` if it is undamaged. */
export async function integrityOf(dataDir: string): Promise<unknown> {
  const { db, close } = await openStorage({ file: join(dataDir, 'signpost.db') });
  try {
    const [row]: unknown[] = await db.raw('PRAGMA integrity_check');
    return row;
  } finally {
    await close();
  }
}
