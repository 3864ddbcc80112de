import type { ApiKeyRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** The id of the key with this hash, undefined where there is none. It says nothing of the key being live. */
export async function findKeyId(db: Database, hash: string): Promise<number | undefined> {
  const row = await db<ApiKeyRow>('api_keys').where({ hash }).first('id');
  return row?.id;
}
