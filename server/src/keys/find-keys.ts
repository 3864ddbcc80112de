import type { Database } from '../storage/storage.js';
import { type Key, keyFromRow, type KeyRow } from './key.js';

const MAX_ID = 2_147_483_647;

/** The database refuses to compare its integers with anything else. */
const isId = (id: number) => Number.isInteger(id) && id > 0 && id <= MAX_ID;

/** When a key was last used: from its last day on, so that of years one row is read. */
const lastUsed = (db: Database) =>
  db('usage_days')
    .where('key_id', db.ref('api_keys.id'))
    .whereNotNull('last_at')
    .orderBy('day', 'desc')
    .limit(1)
    .select('last_at');

/** Keys with what people see of them, oldest first. */
export const keysWithOwners = (db: Database) =>
  db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .orderBy('api_keys.id')
    .select(
      'api_keys.id',
      'api_keys.project_id',
      'api_keys.prefix',
      'api_keys.per_minute',
      'api_keys.per_day',
      'api_keys.created_at',
      'api_keys.revoked_at',
      'projects.name as project_name',
      'projects.account_id',
      'accounts.email as account_email',
    )
    .select<KeyRow[]>(db.raw('COALESCE((?), 0) AS last_used_at', [lastUsed(db)]));

/** All keys of an account, oldest first, revoked ones included. */
export async function listKeys(db: Database, accountId: string): Promise<Key[]> {
  const rows = await keysWithOwners(db).where('projects.account_id', accountId);
  return rows.map(keyFromRow);
}

/** The keys of an account that are not revoked, oldest first. */
export async function listLiveKeys(db: Database, accountId: string): Promise<Key[]> {
  const rows = await keysWithOwners(db)
    .where('projects.account_id', accountId)
    .whereNull('api_keys.revoked_at');
  return rows.map(keyFromRow);
}

/** The keys of an account that were revoked last, the latest first, at most so many. */
export async function listRevokedKeys(db: Database, accountId: string, limit: number): Promise<Key[]> {
  const rows = await keysWithOwners(db)
    .clearOrder()
    .where('projects.account_id', accountId)
    .whereNotNull('api_keys.revoked_at')
    .orderBy('api_keys.revoked_at', 'desc')
    .orderBy('api_keys.id', 'desc')
    .limit(limit);
  return rows.map(keyFromRow);
}

/** How many keys of each project of an account are revoked; projects without any are not in it. */
export async function countRevokedKeys(
  db: Database,
  accountId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', accountId)
    .whereNotNull('api_keys.revoked_at')
    .groupBy('api_keys.project_id')
    .count({ revoked: '*' })
    .select<{ project_id: string; revoked: number | string }[]>('api_keys.project_id');
  return new Map(rows.map(({ project_id, revoked }) => [project_id, Number(revoked)]));
}

/** All keys whose prefix begins with these characters, revoked ones included; case matters. */
export async function findKeysByPrefix(db: Database, start: string): Promise<Key[]> {
  const rows = await keysWithOwners(db).whereRaw('substr(api_keys.prefix, 1, ?) = ?', [start.length, start]);
  return rows.map(keyFromRow);
}

/** The key with this identifier, revoked or not; undefined where there is none. */
export async function findKeyById(db: Database, keyId: number): Promise<Key | undefined> {
  if (!isId(keyId)) return undefined;
  const row = await keysWithOwners(db).where('api_keys.id', keyId).first();
  return row && keyFromRow(row);
}

/** The key where it is this account's, revoked or not; undefined where it is another's or none. */
export async function findKeyOf(db: Database, accountId: string, keyId: number): Promise<Key | undefined> {
  if (!isId(keyId)) return undefined;
  const row = await keysWithOwners(db)
    .where({ 'api_keys.id': keyId, 'projects.account_id': accountId })
    .first();
  return row && keyFromRow(row);
}

/** Revoked keys add up for years; those of long ago are nobody's concern. */
export const MAX_LISTED_REVOKED_KEYS = 50;

/** The revoked keys of one project. */
export interface RevokedKeysOfProject {
  /** Those of them that are among the account's latest, the latest first. */
  readonly shown: readonly Key[];
  readonly count: number;
}

/** The keys of one project. */
export interface KeysOfProject {
  /** Oldest first. */
  readonly live: readonly Key[];
  readonly revoked: RevokedKeysOfProject;
}

/** The keys of an account that its pages show. */
export interface KeysByProject {
  readonly live: readonly Key[];
  /** Whether there is or was any key. */
  readonly hasKeys: boolean;
  ofProject(projectId: string): KeysOfProject;
}

function byProject(keys: readonly Key[]): ReadonlyMap<string, readonly Key[]> {
  const keysOf = new Map<string, Key[]>();
  for (const key of keys) {
    const there = keysOf.get(key.projectId);
    if (there === undefined) keysOf.set(key.projectId, [key]);
    else there.push(key);
  }
  return keysOf;
}

/** Reads all live keys of an account and the latest of the revoked ones. */
export async function listKeysByProject(db: Database, accountId: string): Promise<KeysByProject> {
  const [live, revoked, revokedCounts] = await Promise.all([
    listLiveKeys(db, accountId),
    listRevokedKeys(db, accountId, MAX_LISTED_REVOKED_KEYS),
    countRevokedKeys(db, accountId),
  ]);
  const liveOf = byProject(live);
  const revokedOf = byProject(revoked);
  return {
    live,
    hasKeys: live.length > 0 || revoked.length > 0,
    ofProject: (projectId) => ({
      live: liveOf.get(projectId) ?? [],
      revoked: { shown: revokedOf.get(projectId) ?? [], count: revokedCounts.get(projectId) ?? 0 },
    }),
  };
}
