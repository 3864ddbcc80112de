import { LIMITS } from '@signpost/contract';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { BASE62, type RandomBytes, randomCharacters } from '../platform/random.js';
import { lockAccount, type ProjectRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { checkDisplayName } from '../platform/display-name.js';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

const projectFromRow = (row: ProjectRow): Project => ({
  id: row.id,
  name: row.name,
  createdAtMs: row.created_at,
});

/** All projects of an account, by name. */
export async function listProjects(db: Database, accountId: string): Promise<Project[]> {
  const rows: ProjectRow[] = await db<ProjectRow>('projects')
    .where({ account_id: accountId, deleted_at: null })
    .orderBy('name');
  return rows.map(projectFromRow);
}

/** Keeps other texts from the database, because PostgreSQL rejects for example a NUL byte. */
const isProjectId = (text: string) => /^prj_\w+$/u.test(text);

/** The project, if it is this account's; else undefined. */
export async function findProjectOf(
  db: Database,
  accountId: string,
  projectId: string,
): Promise<Project | undefined> {
  if (!isProjectId(projectId)) return undefined;
  const row: ProjectRow | undefined = await db<ProjectRow>('projects')
    .where({ id: projectId, account_id: accountId, deleted_at: null })
    .first();
  return row && projectFromRow(row);
}

const ID_LENGTH = 20;

export interface NewProject {
  readonly accountId: string;
  readonly name: string;
}

interface ProjectDeps {
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
}

/** Creates a project. Throws a ServiceError if the name is not valid, or is taken in this account. */
export async function createProject(
  db: Database,
  { randomBytes, clock }: ProjectDeps,
  wanted: NewProject,
): Promise<Project> {
  const row: ProjectRow = {
    id: `prj_${randomCharacters(randomBytes, BASE62, ID_LENGTH)}`,
    account_id: wanted.accountId,
    name: checkDisplayName("The project's name", wanted.name),
    created_at: clock(),
    deleted_at: null,
  };
  const inserted = await db<ProjectRow>('projects')
    .insert(row)
    .onConflict(['account_id', 'name'])
    .ignore()
    .returning('id');
  if (inserted.length === 0) {
    throw new ServiceError(
      'invalidRequest',
      `The account already has a project named "${row.name}". Choose another name.`,
    );
  }
  return projectFromRow(row);
}

const MAX_PROJECTS = LIMITS.projectsOfAccount.max;

/**
 * Creates a project as `createProject` does, if the account has fewer than its owner may make. Throws a ServiceError
 * if it has too many, even if several callers create projects at once.
 */
export async function createCappedProject(
  db: Database,
  deps: ProjectDeps,
  wanted: NewProject,
): Promise<Project> {
  return db.transaction(async (transaction) => {
    await lockAccount(transaction, { id: wanted.accountId });
    const counts = await transaction<ProjectRow>('projects')
      .where({ account_id: wanted.accountId, deleted_at: null })
      .count({ projects: '*' });
    const projects = Number(counts[0]?.['projects'] ?? 0);
    if (projects >= MAX_PROJECTS) {
      throw new ServiceError(
        'invalidRequest',
        `You have ${projects} projects, the most that an account may make. Ask the operator for more.`,
      );
    }
    return createProject(transaction, deps, wanted);
  });
}
