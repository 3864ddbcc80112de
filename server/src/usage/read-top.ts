import type { Sort } from '../platform/sort.js';
import type { Database } from '../storage/storage.js';
import { type Outcome, OUTCOMES } from './recorded-request.js';
import { type CountRows, type Counts, countsFrom, emptyCounts, type RawCounts, sumBy } from './sum-counts.js';

/** The account that sent requests. */
export interface RequestingAccount {
  readonly accountId: string;
  readonly email: string;
}

export interface RequestingKey extends RequestingAccount {
  readonly keyId: number;
  /** The owner's name for the key. */
  readonly name: string | null;
  readonly prefix: string;
  readonly projectName: string;
}

/**
 * The orders of the lists of keys and accounts. The first is the default: the number of all requests, including
 * rejected ones.
 */
export const COUNT_SORTS = [
  { by: 'most', isDescending: true },
  { by: 'requests', isDescending: true },
  { by: 'wrong', isDescending: true },
  { by: 'failed', isDescending: true },
  { by: 'refused', isDescending: true },
] as const satisfies readonly Sort[];

export type CountSort = Sort<(typeof COUNT_SORTS)[number]['by']>;

/** Which pages of the list of keys and the list of accounts are shown, and in which order both lists are. */
export interface TopPages {
  readonly sort: CountSort;
  readonly keysOffset: number;
  readonly accountsOffset: number;
}

export const FIRST_PAGES: TopPages = { sort: COUNT_SORTS[0], keysOffset: 0, accountsOffset: 0 };

/** The number of keys or accounts on a page. */
export const TOP_PER_PAGE = 20;

export interface TopKeys {
  /** A page of the keys with requests. */
  readonly keys: readonly (RequestingKey & { readonly counts: Counts })[];
  /** The number of keys on all pages. */
  readonly keyTotal: number;
}

export interface TopAccounts {
  /** A page of the accounts with requests. Their counts have no response times. */
  readonly accounts: readonly (RequestingAccount & { readonly counts: Counts })[];
  /** The number of accounts on all pages. */
  readonly accountTotal: number;
}

const COLUMN_OF: Readonly<Record<Outcome, string>> = {
  '2xx': 'answered',
  '4xx': 'wrong',
  '5xx': 'failed',
  refused: 'refused',
};

const SORTED_BY: Readonly<Record<CountSort['by'], readonly Outcome[]>> = {
  most: OUTCOMES,
  requests: ['2xx', '4xx', '5xx'],
  wrong: ['4xx'],
  failed: ['5xx'],
  refused: ['refused'],
};

/** A row of the list of keys or of accounts. Sums are numbers or texts, depending on the database engine. */
interface TopRow {
  readonly accountId: string;
  readonly email: string;
  /** The number of rows on all pages. */
  readonly total: number | string;
}

interface KeyRow extends TopRow {
  readonly id: number;
  readonly name: string | null;
  readonly prefix: string;
  readonly projectName: string;
}

/** A row of the list of accounts. It also has, in each column of COLUMN_OF, how many requests had that outcome. */
type AccountRow = TopRow & Readonly<Record<string, number | string>>;

const requestsFrom = (row: AccountRow): RawCounts => ({
  requests: {
    '2xx': Number(row['answered']),
    '4xx': Number(row['wrong']),
    '5xx': Number(row['failed']),
    refused: Number(row['refused']),
  },
  timeCounts: emptyCounts().timeCounts,
});

/** A query for the counts by key, with the owners of the keys. The caller sorts and pages it. */
function countsWithOwners(db: Database, rows: CountRows) {
  const sums = OUTCOMES.map((outcome) =>
    db.raw(`SUM(CASE WHEN outcome = ? THEN requests ELSE 0 END) AS ${COLUMN_OF[outcome]}`, [outcome]),
  );
  const byKey = rows
    .clone()
    .groupBy('key_id')
    .select('key_id', ...sums)
    .as('s');
  return db
    .from(byKey)
    .join('api_keys as k', 'k.id', 's.key_id')
    .join('projects as p', 'p.id', 'k.project_id')
    .join('accounts as a', 'a.id', 'p.account_id');
}

const order = (sum: (column: string) => string, { by, isDescending }: CountSort) =>
  `${SORTED_BY[by].map((outcome) => sum(COLUMN_OF[outcome])).join(' + ')} ${isDescending ? 'DESC' : 'ASC'}`;

/**
 * The number of rows on all pages. Each row of a page contains it as `total`. A page past the last has no rows, so only
 * then are they counted.
 */
async function countTotal(
  [first]: readonly TopRow[],
  offset: number,
  db: Database,
  rows: CountRows,
  id: 'k.id' | 'a.id',
): Promise<number> {
  if (first !== undefined || offset === 0) return Number(first?.total ?? 0);
  const [counted] = await countsWithOwners(db, rows).countDistinct<{ readonly total: number }[]>({
    total: id,
  });
  return counted?.total ?? 0;
}

/** One page of the keys with requests, in the requested order. */
export async function readTopKeys(
  db: Database,
  rows: CountRows,
  { sort, keysOffset }: TopPages,
): Promise<TopKeys> {
  const top: KeyRow[] = await countsWithOwners(db, rows)
    .orderByRaw(`${order((column) => `s.${column}`, sort)}, k.id`)
    .limit(TOP_PER_PAGE)
    .offset(keysOffset)
    .select('k.id', 'k.name', 'k.prefix', 'p.name as projectName', 'a.id as accountId', 'a.email')
    .select(db.raw('COUNT(*) OVER () AS total'));
  // Reads the response times only for the keys on the page, because they are many columns.
  const keyIds = top.map(({ id }) => id);
  const timesByKey = await sumBy(rows.clone().whereIn('key_id', keyIds), 'key_id');
  return {
    keyTotal: await countTotal(top, keysOffset, db, rows, 'k.id'),
    keys: top.map(({ id, name, prefix, projectName, accountId, email }) => ({
      keyId: id,
      name,
      prefix,
      projectName,
      accountId,
      email,
      counts: countsFrom(timesByKey.get(String(id)) ?? emptyCounts()),
    })),
  };
}

/** One page of the accounts with requests, in the requested order. */
export async function readTopAccounts(
  db: Database,
  rows: CountRows,
  { sort, accountsOffset }: TopPages,
): Promise<TopAccounts> {
  const sums = OUTCOMES.map((outcome) => `SUM(s.${COLUMN_OF[outcome]}) AS ${COLUMN_OF[outcome]}`);
  const top: AccountRow[] = await countsWithOwners(db, rows)
    .groupBy('a.id', 'a.email')
    .orderByRaw(`${order((column) => `SUM(s.${column})`, sort)}, a.id`)
    .limit(TOP_PER_PAGE)
    .offset(accountsOffset)
    .select('a.id as accountId', 'a.email')
    .select(db.raw([...sums, 'COUNT(*) OVER () AS total'].join(', ')));
  return {
    accountTotal: await countTotal(top, accountsOffset, db, rows, 'a.id'),
    accounts: top.map((row) => ({
      accountId: row.accountId,
      email: row.email,
      counts: countsFrom(requestsFrom(row)),
    })),
  };
}
