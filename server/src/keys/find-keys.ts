import type { ReadContext } from '../audit/domain-context.js';
import { keyIsLive, keyWorks } from '../storage/key-life.js';
import type { Database } from '../storage/storage.js';
import { type Key, keyFromRow, type KeyRow } from './key.js';

const MAX_ID = 2_147_483_647;

/** Whether a number can be an id. PostgreSQL cannot compare its integers with other numbers. */
const isId = (id: number) => Number.isInteger(id) && id > 0 && id <= MAX_ID;

/** The query for when a key was last used. Reads only one row, its last day of use, instead of rows of years. */
const lastUsed = (db: Database) =>
  db('usage_days')
    .where('key_id', db.ref('api_keys.id'))
    .whereNotNull('last_at')
    .orderBy('day', 'desc')
    .limit(1)
    .select('last_at');

/** Selects keys with their projects and owners, oldest first. */
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
      'api_keys.permissions',
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

/**
 * SQL conditions with a placeholder for the current time: keys that work, disabled keys, both of these, and keys
 * that are revoked or expired.
 */
export const LISTED_STATES = {
  live: keyWorks('api_keys'),
  disabled: `${keyIsLive('api_keys')} AND api_keys.disabled_at IS NOT NULL`,
  notEnded: keyIsLive('api_keys'),
  ended: `NOT (${keyIsLive('api_keys')})`,
} as const;

export type ListedState = keyof typeof LISTED_STATES;

/** The keys of an account, oldest first: all of them, or those in a state. */
export async function listKeys(
  { db, clock }: ReadContext,
  accountId: string,
  state?: ListedState,
): Promise<Key[]> {
  const nowMs = clock();
  const keys = keysWithOwners(db).where('projects.account_id', accountId);
  if (state !== undefined) void keys.whereRaw(LISTED_STATES[state], [nowMs]);
  return (await keys).map(keyFromRow(nowMs));
}

/** The keys of an account that were revoked or expired last, latest first, up to a limit. */
export async function listEndedKeys(
  { db, clock }: ReadContext,
  accountId: string,
  limit: number,
): Promise<Key[]> {
  const nowMs = clock();
  const rows = await keysWithOwners(db)
    .clearOrder()
    .where('projects.account_id', accountId)
    .whereRaw(LISTED_STATES.ended, [nowMs])
    .orderByRaw('COALESCE(api_keys.revoked_at, api_keys.ends_at) DESC')
    .orderBy('api_keys.id', 'desc')
    .limit(limit);
  return rows.map(keyFromRow(nowMs));
}

/** Counts the revoked and expired keys of each project of an account. Projects without any are left out. */
export async function countEndedKeys(
  { db, clock }: ReadContext,
  accountId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', accountId)
    .whereRaw(LISTED_STATES.ended, [clock()])
    .groupBy('api_keys.project_id')
    .count({ ended: '*' })
    .select<{ project_id: string; ended: number | string }[]>('api_keys.project_id');
  return new Map(rows.map(({ project_id, ended }) => [project_id, Number(ended)]));
}

/** All keys whose prefix starts with these characters, including expired and revoked ones. Case matters. */
export async function findKeysByPrefix({ db, clock }: ReadContext, start: string): Promise<Key[]> {
  const rows = await keysWithOwners(db).whereRaw('substr(api_keys.prefix, 1, ?) = ?', [start.length, start]);
  return rows.map(keyFromRow(clock()));
}

/** A key of this account, in any state; undefined if the account has no such key. */
export async function findKey(
  { db, clock }: ReadContext,
  accountId: string,
  keyId: number,
): Promise<Key | undefined> {
  if (!isId(keyId)) return undefined;
  const row = await keysWithOwners(db)
    .where({ 'api_keys.id': keyId, 'projects.account_id': accountId })
    .first();
  return row && keyFromRow(clock())(row);
}

/** The maximum of revoked and expired keys that are shown for an account, because they add up over the years. */
export const MAX_LISTED_ENDED_KEYS = 50;

/** The revoked and expired keys of one project. */
export interface EndedKeysOfProject {
  /** Those of the account's latest revoked and expired keys that belong to the project, latest first. */
  readonly latest: readonly Key[];
  readonly count: number;
}

/** The keys of one project. */
export interface KeysOfProject {
  /** Oldest first, including disabled keys. */
  readonly live: readonly Key[];
  readonly ended: EndedKeysOfProject;
}

/** The keys of an account that its pages show. */
export interface KeysByProject {
  readonly live: readonly Key[];
  /** Whether the account has or had any key. */
  readonly hasKeys: boolean;
  ofProject(projectId: string): KeysOfProject;
}

function groupByProject(keys: readonly Key[]): ReadonlyMap<string, readonly Key[]> {
  const keysOf = new Map<string, Key[]>();
  for (const key of keys) {
    const projectKeys = keysOf.get(key.projectId);
    if (projectKeys === undefined) keysOf.set(key.projectId, [key]);
    else projectKeys.push(key);
  }
  return keysOf;
}

/** Reads all live keys of an account, and its latest revoked and expired ones. */
export async function listKeysByProject(context: ReadContext, accountId: string): Promise<KeysByProject> {
  const [live, ended, endedCounts] = await Promise.all([
    listKeys(context, accountId, 'notEnded'),
    listEndedKeys(context, accountId, MAX_LISTED_ENDED_KEYS),
    countEndedKeys(context, accountId),
  ]);
  const liveOf = groupByProject(live);
  const endedOf = groupByProject(ended);
  return {
    live,
    hasKeys: live.length > 0 || ended.length > 0,
    ofProject: (projectId) => ({
      live: liveOf.get(projectId) ?? [],
      ended: { latest: endedOf.get(projectId) ?? [], count: endedCounts.get(projectId) ?? 0 },
    }),
  };
}
