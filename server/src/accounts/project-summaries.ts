import type { ReadContext } from '../audit/domain-context.js';
import type { Sort } from '../platform/sort.js';
import { DAY_MS } from '../platform/time-units.js';
import { whereContains } from '../storage/contains.js';
import { keyIsLive } from '../storage/key-life.js';
import type { ProjectRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/** A project as people see it in lists: with its owner's e-mail and its counts. */
export interface ProjectSummary {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly email: string;
  /** The number of keys that are neither revoked nor expired. */
  readonly liveKeyCount: number;
  /** The requests with all keys of the project since midnight UTC. */
  readonly requestsToday: number;
  readonly createdAtMs: number;
}

interface ProjectFilter {
  /** The account whose projects are listed; undefined for operators, who see those of all accounts. */
  readonly accountId?: string | undefined;
  /** Only the project with this id. */
  readonly id?: string | undefined;
  /** Only projects whose name contains this text or, if no `accountId` is given, whose owner's e-mail contains it. */
  readonly search?: string | undefined;
}

/** The SQL for each sort order. */
const SORTED_BY = {
  name: 'lower(projects.name)',
  account: 'accounts.email',
  keys: 'live_key_count',
  today: 'requests_today',
  made: 'projects.created_at',
} as const;

/** The sort orders of a list of projects. The first is the default. */
export const PROJECT_SORTS = [
  { by: 'name', isDescending: false },
  { by: 'account', isDescending: false },
  { by: 'keys', isDescending: true },
  { by: 'today', isDescending: true },
  { by: 'made', isDescending: true },
] as const satisfies readonly Sort<keyof typeof SORTED_BY>[];

export interface ProjectPage extends ProjectFilter {
  readonly sort?: Sort<keyof typeof SORTED_BY>;
  readonly offset: number;
  readonly limit: number;
}

type SummaryRow = ProjectRow & {
  readonly email: string;
  readonly live_key_count: number | string;
  readonly requests_today: number | string;
};

const summaryFromRow = (row: SummaryRow): ProjectSummary => ({
  id: row.id,
  name: row.name,
  accountId: row.account_id,
  email: row.email,
  liveKeyCount: Number(row.live_key_count),
  requestsToday: Number(row.requests_today),
  createdAtMs: row.created_at,
});

function matchingProjects(db: Database, { accountId, id, search = '' }: ProjectFilter) {
  const projects = db('projects')
    .join('accounts', 'accounts.id', 'projects.account_id')
    .whereNull('projects.deleted_at');
  if (accountId !== undefined) void projects.where('projects.account_id', accountId);
  if (id !== undefined) void projects.where('projects.id', id);
  const owner = accountId === undefined ? ['accounts.email'] : [];
  whereContains(projects, ['projects.name', ...owner], search);
  return projects;
}

/**
 * Returns one page of projects, each with its numbers of live keys and of requests today, and how many projects there
 * are on all pages.
 */
export async function listProjectSummaries(
  { db, clock }: ReadContext,
  { sort = PROJECT_SORTS[0], offset, limit, ...filter }: ProjectPage,
): Promise<{ readonly projects: readonly ProjectSummary[]; readonly total: number }> {
  const nowMs = clock();
  const counted = await matchingProjects(db, filter).count({ total: '*' });
  const keys = () => db('api_keys').where('project_id', db.ref('projects.id'));
  const today = keys()
    .join('usage_days', 'usage_days.key_id', 'api_keys.id')
    .where('day', Math.floor(nowMs / DAY_MS))
    .sum('requests');
  const rows = await matchingProjects(db, filter)
    .orderByRaw(`${SORTED_BY[sort.by]} ${sort.isDescending ? 'DESC' : 'ASC'}, projects.id`)
    .offset(offset)
    .limit(limit)
    .select('projects.*', 'accounts.email')
    .select<SummaryRow[]>(
      keys().whereRaw(keyIsLive('api_keys'), [nowMs]).count('*').as('live_key_count'),
      db.raw('COALESCE((?), 0) AS requests_today', [today]),
    );
  return { projects: rows.map(summaryFromRow), total: Number(counted[0]?.['total'] ?? 0) };
}
