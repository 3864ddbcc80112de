import type { Database } from '../storage/storage.js';

/** Whether a key is neither revoked nor its account disabled. */
export async function isKeyLive(db: Database, id: number): Promise<boolean> {
  const row: object | undefined = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .where({ 'api_keys.id': id, 'api_keys.revoked_at': null, 'accounts.disabled_at': null })
    .first('api_keys.id');
  return row !== undefined;
}
