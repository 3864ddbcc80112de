import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { accountFromRow, type Account } from './account.js';

/** No stored text is as long, so that a search that is finds nothing and costs nothing. */
const MAX_SEARCH_CHARACTERS = 300;

/** An account with what an operator wants to see beside it. */
export interface AccountSummary extends Account {
  readonly projectCount: number;
  /** Keys that are not revoked. */
  readonly liveKeyCount: number;
  readonly lastRequestAtMs: number | null;
}

export interface SummaryPage {
  /** Text that the e-mail or the name contains, in any case; every character stands for itself. */
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface AccountSummaries {
  readonly accounts: AccountSummary[];
  /** How many there are on all pages. */
  readonly total: number;
}

type SummaryRow = AccountRow & {
  readonly project_count: number | string;
  readonly live_key_count: number | string;
  readonly last_request_at: number | string | null;
};

const summaryFromRow = (row: SummaryRow): AccountSummary => ({
  ...accountFromRow(row),
  projectCount: Number(row.project_count),
  liveKeyCount: Number(row.live_key_count),
  lastRequestAtMs: row.last_request_at === null ? null : Number(row.last_request_at),
});

/** The engines lower the case of ASCII alone, or of all letters; as it was typed a text is found in both. */
const patternsOf = (search: string) =>
  [search, search.toLowerCase()].map((text) => `%${text.replace(/[!%_]/gu, '!$&')}%`);

function matching(db: Database, search: string) {
  const accounts = db('accounts');
  if (search === '') return accounts;
  const [typed = '', lowered = ''] = patternsOf(search.slice(0, MAX_SEARCH_CHARACTERS));
  return accounts.where((either) => {
    void either
      .whereRaw(`accounts.email LIKE ? ESCAPE '!'`, [lowered])
      .orWhereRaw(`lower(accounts.name) LIKE ? ESCAPE '!'`, [lowered])
      .orWhereRaw(`accounts.name LIKE ? ESCAPE '!'`, [typed]);
  });
}

const keysOfAccount = (db: Database) =>
  db('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', db.ref('accounts.id'));

/** One page of the accounts by e-mail, with the numbers of their projects and keys and their last request. */
export async function listAccountSummaries(
  db: Database,
  { search = '', offset, limit }: SummaryPage,
): Promise<AccountSummaries> {
  const found = () => matching(db, search.trim());
  const counted = await found().count({ total: '*' });
  const rows = await found()
    .orderBy('accounts.email')
    .offset(offset)
    .limit(limit)
    .select('accounts.*')
    .select<SummaryRow[]>(
      db('projects').where('account_id', db.ref('accounts.id')).count('*').as('project_count'),
      keysOfAccount(db).whereNull('api_keys.revoked_at').count('*').as('live_key_count'),
      keysOfAccount(db)
        .join('usage_days', 'usage_days.key_id', 'api_keys.id')
        .max('usage_days.last_at')
        .as('last_request_at'),
    );
  return { accounts: rows.map(summaryFromRow), total: Number(counted[0]?.total ?? 0) };
}
