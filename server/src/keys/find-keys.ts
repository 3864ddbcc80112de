import { keyIsLive, keyWorks } from '../storage/key-life.js';
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
      'api_keys.name',
      'api_keys.note',
      'api_keys.per_minute',
      'api_keys.per_day',
      'api_keys.created_at',
      'api_keys.ends_at',
      'api_keys.disabled_at',
      'api_keys.disabled_by_operator',
      'api_keys.revoked_at',
      'api_keys.replaces_id',
      'projects.name as project_name',
      'projects.account_id',
      'accounts.email as account_email',
    )
    .select<KeyRow[]>(
      db.raw('COALESCE((?), 0) AS last_used_at', [lastUsed(db)]),
      db('api_keys as next')
        .where('next.replaces_id', db.ref('api_keys.id'))
        .min('next.id')
        .as('replaced_by_id'),
    );

/** All keys of an account, oldest first, ended ones included. */
export async function listKeys(db: Database, accountId: string, nowMs: number): Promise<Key[]> {
  const rows = await keysWithOwners(db).where('projects.account_id', accountId);
  return rows.map(keyFromRow(nowMs));
}

/** The keys of an account that are not over, disabled ones included, oldest first. */
export async function listLiveKeys(db: Database, accountId: string, nowMs: number): Promise<Key[]> {
  const rows = await keysWithOwners(db)
    .where('projects.account_id', accountId)
    .whereRaw(keyIsLive('api_keys'), [nowMs]);
  return rows.map(keyFromRow(nowMs));
}

/** The keys of an account that may be used now, oldest first. */
export async function listWorkingKeys(db: Database, accountId: string, nowMs: number): Promise<Key[]> {
  const rows = await keysWithOwners(db)
    .where('projects.account_id', accountId)
    .whereRaw(keyWorks('api_keys'), [nowMs]);
  return rows.map(keyFromRow(nowMs));
}

/** The keys of an account that were revoked, or ended, last, the latest first, at most so many. */
export async function listEndedKeys(
  db: Database,
  accountId: string,
  nowMs: number,
  limit: number,
): Promise<Key[]> {
  const rows = await keysWithOwners(db)
    .clearOrder()
    .where('projects.account_id', accountId)
    .whereRaw(`NOT (${keyIsLive('api_keys')})`, [nowMs])
    .orderByRaw('COALESCE(api_keys.revoked_at, api_keys.ends_at) DESC')
    .orderBy('api_keys.id', 'desc')
    .limit(limit);
  return rows.map(keyFromRow(nowMs));
}

/** How many keys of each project of an account are revoked or have ended; projects without any are not in it. */
export async function countEndedKeys(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', accountId)
    .whereRaw(`NOT (${keyIsLive('api_keys')})`, [nowMs])
    .groupBy('api_keys.project_id')
    .count({ ended: '*' })
    .select<{ project_id: string; ended: number | string }[]>('api_keys.project_id');
  return new Map(rows.map(({ project_id, ended }) => [project_id, Number(ended)]));
}

/** All keys whose prefix begins with these characters, ended ones included; case matters. */
export async function findKeysByPrefix(db: Database, start: string, nowMs: number): Promise<Key[]> {
  const rows = await keysWithOwners(db).whereRaw('substr(api_keys.prefix, 1, ?) = ?', [start.length, start]);
  return rows.map(keyFromRow(nowMs));
}

/** The key where it is this account's, ended or not; undefined where it is another's or none. */
export async function findKeyOf(
  db: Database,
  accountId: string,
  keyId: number,
  nowMs: number,
): Promise<Key | undefined> {
  if (!isId(keyId)) return undefined;
  const row = await keysWithOwners(db)
    .where({ 'api_keys.id': keyId, 'projects.account_id': accountId })
    .first();
  return row && keyFromRow(nowMs)(row);
}

/** Keys that are over add up for years; those of long ago are nobody's concern. */
export const MAX_LISTED_ENDED_KEYS = 50;

/** The keys of one project that are revoked or have ended. */
export interface EndedKeysOfProject {
  /** Those of them that are among the account's latest, the latest first. */
  readonly shown: readonly Key[];
  readonly count: number;
}

/** The keys of one project. */
export interface KeysOfProject {
  /** Oldest first, disabled ones included. */
  readonly live: readonly Key[];
  readonly ended: EndedKeysOfProject;
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

/** Reads all live keys of an account and the latest of those that are over. */
export async function listKeysByProject(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<KeysByProject> {
  const [live, ended, endedCounts] = await Promise.all([
    listLiveKeys(db, accountId, nowMs),
    listEndedKeys(db, accountId, nowMs, MAX_LISTED_ENDED_KEYS),
    countEndedKeys(db, accountId, nowMs),
  ]);
  const liveOf = byProject(live);
  const endedOf = byProject(ended);
  return {
    live,
    hasKeys: live.length > 0 || ended.length > 0,
    ofProject: (projectId) => ({
      live: liveOf.get(projectId) ?? [],
      ended: { shown: endedOf.get(projectId) ?? [], count: endedCounts.get(projectId) ?? 0 },
    }),
  };
}
