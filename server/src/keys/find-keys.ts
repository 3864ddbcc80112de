import type { Database } from '../storage/storage.js';
import { keyFromRow, type Key, type KeyRow } from './key.js';

const keysWithOwners = (db: Database) =>
  db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .orderBy('api_keys.id')
    .select<KeyRow[]>(
      'api_keys.id',
      'api_keys.prefix',
      'api_keys.per_minute',
      'api_keys.per_day',
      'api_keys.created_at',
      'api_keys.revoked_at',
      'projects.name as project_name',
      'accounts.email as account_email',
    );

/** All keys of an account, oldest first, revoked ones included. */
export async function listKeys(db: Database, accountId: string): Promise<Key[]> {
  const rows = await keysWithOwners(db).where('projects.account_id', accountId);
  return rows.map(keyFromRow);
}

/** All keys whose prefix begins with these characters, revoked ones included; case matters. */
export async function findKeysByPrefix(db: Database, start: string): Promise<Key[]> {
  const rows = await keysWithOwners(db).whereRaw('substr(api_keys.prefix, 1, ?) = ?', [start.length, start]);
  return rows.map(keyFromRow);
}
