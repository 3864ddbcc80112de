import type { Knex } from 'knex';
import type { ReadContext } from '../audit/domain-context.js';
import type { Sort } from '../platform/sort.js';
import { DAY_MS } from '../platform/time-units.js';
import { whereContains } from '../storage/contains.js';
import { keyIsLive } from '../storage/key-life.js';
import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { accountFromRow, type Account } from './account.js';

/** An account as operators see it in lists: with its counts and the time of its last request. */
export interface AccountSummary extends Account {
  readonly projectCount: number;
  /** The number of keys that are neither revoked nor expired. */
  readonly liveKeyCount: number;
  /** The requests with all keys of the account since midnight UTC. */
  readonly requestsToday: number;
  readonly lastRequestAtMs: number | null;
}

interface SummaryFilter {
  /** Only accounts whose e-mail or name contains this text. */
  readonly search?: string | undefined;
  readonly state?: AccountState | undefined;
}

export interface SummaryPage extends SummaryFilter {
  readonly sort?: Sort<keyof typeof SORTED_BY>;
  readonly offset: number;
  readonly limit: number;
}

export interface AccountSummaries {
  readonly accounts: AccountSummary[];
  /** The number of matching accounts on all pages. */
  readonly total: number;
}

type SummaryRow = AccountRow & {
  readonly project_count: number | string;
  readonly live_key_count: number | string;
  readonly requests_today: number | string;
  /**
   * When the account's last request was; 0 if there was none, because NULL sorts differently in the two database
   * engines.
   */
  readonly last_request_at: number | string;
};

const summaryFromRow = (row: SummaryRow): AccountSummary => ({
  ...accountFromRow(row),
  projectCount: Number(row.project_count),
  liveKeyCount: Number(row.live_key_count),
  requestsToday: Number(row.requests_today),
  lastRequestAtMs: Number(row.last_request_at) === 0 ? null : Number(row.last_request_at),
});

/** The SQL for each sort order. */
const SORTED_BY = {
  email: 'accounts.email',
  projects: 'project_count',
  keys: 'live_key_count',
  today: 'requests_today',
  used: 'last_request_at',
  made: 'accounts.created_at',
} as const;

/** The query conditions for the states that a list can be filtered by. */
const STATES = {
  disabled: (accounts: Knex.QueryBuilder) => accounts.whereNotNull('accounts.disabled_at'),
  operator: (accounts: Knex.QueryBuilder) => accounts.where('accounts.is_operator', true),
  apiAccess: (accounts: Knex.QueryBuilder) => accounts.where('accounts.has_api_access', true),
} as const;

type AccountState = keyof typeof STATES;

export const isAccountState = (text: string): text is AccountState => Object.hasOwn(STATES, text);

/** The sort orders of a list of accounts. The first is the default. */
export const ACCOUNT_SORTS = [
  { by: 'email', isDescending: false },
  { by: 'projects', isDescending: true },
  { by: 'keys', isDescending: true },
  { by: 'today', isDescending: true },
  { by: 'used', isDescending: true },
  { by: 'made', isDescending: true },
] as const satisfies readonly Sort<keyof typeof SORTED_BY>[];

function matchingAccounts(db: Database, { search = '', state }: SummaryFilter) {
  const accounts = db('accounts');
  whereContains(accounts, ['accounts.email', 'accounts.name'], search);
  if (state !== undefined) void STATES[state](accounts);
  return accounts;
}

const keysOfAccount = (db: Database) =>
  db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', db.ref('accounts.id'));

/**
 * Returns one page of accounts, each with its numbers of projects, live keys and requests today, and how many accounts
 * there are on all pages.
 */
export async function listAccountSummaries(
  { db, clock }: ReadContext,
  { sort = ACCOUNT_SORTS[0], offset, limit, ...filter }: SummaryPage,
): Promise<AccountSummaries> {
  const nowMs = clock();
  const counted = await matchingAccounts(db, filter).count({ total: '*' });
  // Reads only the newest day that has requests, instead of years of days.
  const lastRequest = db('usage_days')
    .where('key_id', db.ref('api_keys.id'))
    .whereNotNull('last_at')
    .orderBy('day', 'desc')
    .limit(1)
    .select('last_at');
  const today = keysOfAccount(db)
    .join('usage_days', 'usage_days.key_id', 'api_keys.id')
    .where('day', Math.floor(nowMs / DAY_MS))
    .sum('requests');
  const rows = await matchingAccounts(db, filter)
    .orderByRaw(`${SORTED_BY[sort.by]} ${sort.isDescending ? 'DESC' : 'ASC'}, accounts.id`)
    .offset(offset)
    .limit(limit)
    .select('accounts.*')
    .select<SummaryRow[]>(
      db('projects')
        .where({ account_id: db.ref('accounts.id'), deleted_at: null })
        .count('*')
        .as('project_count'),
      keysOfAccount(db).whereRaw(keyIsLive('api_keys'), [nowMs]).count('*').as('live_key_count'),
      db.raw('COALESCE((?), 0) AS requests_today', [today]),
      db.raw('COALESCE((?), 0) AS last_request_at', [
        keysOfAccount(db).select(db.raw('MAX((?))', [lastRequest])),
      ]),
    );
  return { accounts: rows.map(summaryFromRow), total: Number(counted[0]?.['total'] ?? 0) };
}
