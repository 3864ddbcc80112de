import type { ReadContext } from '../audit/domain-context.js';
import type { Sort } from '../platform/sort.js';
import { DAY_MS } from '../platform/time-units.js';
import { whereContains } from '../storage/contains.js';
import type { Database } from '../storage/storage.js';
import { keysWithOwners, LISTED_STATES, type ListedState } from './find-keys.js';
import { type Key, keyFromRow, type KeyRow } from './key.js';

/** A key with the number of its requests today. */
export interface ListedKey extends Key {
  readonly requestsToday: number;
}

/** The SQL for each sort order. */
const SORTED_BY = {
  today: 'requests_today',
  used: 'last_used_at',
  key: 'lower(COALESCE(api_keys.name, api_keys.prefix))',
  project: 'lower(projects.name)',
  account: 'accounts.email',
  made: 'api_keys.created_at',
} as const;

/** The sort orders of a list of keys. The first is the default. */
export const KEY_SORTS = [
  { by: 'today', isDescending: true },
  { by: 'used', isDescending: true },
  { by: 'key', isDescending: false },
  { by: 'project', isDescending: false },
  { by: 'account', isDescending: false },
  { by: 'made', isDescending: true },
] as const satisfies readonly Sort<keyof typeof SORTED_BY>[];

export type KeySort = Sort<keyof typeof SORTED_BY>;

export const isListedState = (text: string): text is ListedState => Object.hasOwn(LISTED_STATES, text);

interface KeyFilter {
  /** Only keys of this account. Undefined for the keys of all accounts, which only operators may see. */
  readonly accountId?: string | undefined;
  readonly projectId?: string | undefined;
  /** Only the key with this id. */
  readonly id?: number | undefined;
  /** Only keys with this prefix. There is hardly ever more than one. */
  readonly prefix?: string | undefined;
  /** Only keys whose name, prefix, project or, without an `accountId`, owner's e-mail contains this text. */
  readonly search?: string | undefined;
  readonly state?: ListedState | undefined;
}

export interface KeyPage extends KeyFilter {
  readonly sort?: KeySort;
  readonly offset: number;
  readonly limit: number;
}

type ListedRow = KeyRow & { readonly requests_today: number | string };

function matchingKeys(db: Database, filter: KeyFilter, nowMs: number) {
  const { accountId, projectId, id, prefix, search = '', state } = filter;
  const keys = keysWithOwners(db).clearOrder();
  if (accountId !== undefined) void keys.where('projects.account_id', accountId);
  if (projectId !== undefined) void keys.where('projects.id', projectId);
  if (id !== undefined) void keys.where('api_keys.id', id);
  if (prefix !== undefined) void keys.where('api_keys.prefix', prefix);
  if (state !== undefined) void keys.whereRaw(LISTED_STATES[state], [nowMs]);
  const owner = accountId === undefined ? ['accounts.email'] : [];
  whereContains(keys, ['api_keys.prefix', 'api_keys.name', 'projects.name', ...owner], search);
  return keys;
}

/** One page of keys, with the number of their requests today. */
export async function listKeyPage(
  { db, clock }: ReadContext,
  { sort = KEY_SORTS[0], offset, limit, ...filter }: KeyPage,
): Promise<{ readonly keys: readonly ListedKey[]; readonly total: number }> {
  const nowMs = clock();
  const counted = await matchingKeys(db, filter, nowMs).clearSelect().count({ total: '*' });
  const today = db('usage_days')
    .where({ key_id: db.ref('api_keys.id'), day: Math.floor(nowMs / DAY_MS) })
    .select('requests');
  const rows = await matchingKeys(db, filter, nowMs)
    .orderByRaw(`${SORTED_BY[sort.by]} ${sort.isDescending ? 'DESC' : 'ASC'}, api_keys.id`)
    .offset(offset)
    .limit(limit)
    .select<ListedRow[]>(db.raw('COALESCE((?), 0) AS requests_today', [today]));
  return {
    keys: rows.map((row) => ({ ...keyFromRow(nowMs)(row), requestsToday: Number(row.requests_today) })),
    total: Number(counted[0]?.['total'] ?? 0),
  };
}
