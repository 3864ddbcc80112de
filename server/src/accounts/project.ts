import { LIMITS } from '@signpost/contract';
import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { BASE62, randomCharacters } from '../platform/random.js';
import { lockAccount } from '../storage/locks.js';
import type { ProjectRow } from '../storage/rows.js';
import { inTransaction } from '../storage/storage.js';
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

/** The projects of an account without the deleted ones, sorted by name. */
export async function listProjects({ db }: Pick<DomainContext, 'db'>, accountId: string): Promise<Project[]> {
  const rows: ProjectRow[] = await db<ProjectRow>('projects')
    .where({ account_id: accountId, deleted_at: null })
    .orderBy('name');
  return rows.map(projectFromRow);
}

/**
 * Whether a text can be the id of a project. Other texts are not looked up in the database, because PostgreSQL rejects
 * some, such as those with NUL.
 */
const isProjectId = (text: string) => /^prj_\w+$/u.test(text);

/** The project; undefined if this account has no project with this id. */
export async function findProject(
  { db }: Pick<DomainContext, 'db'>,
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
  /** Set for operators, who may give an account more projects than its owner may make. */
  readonly mayExceedMaximum?: boolean;
}

const MAX_PROJECTS = LIMITS.projectsOfAccount.max;

/**
 * Stores a new project without an audit entry. Throws a ServiceError if the name is not valid or is taken in this
 * account, or, unless `mayExceedMaximum` is set, if the account already has MAX_PROJECTS projects or more. Concurrent
 * calls cannot exceed that number.
 */
export async function addProject(
  { db, randomBytes, clock }: Omit<DomainContext, 'audit' | 'actor'>,
  { accountId, name, mayExceedMaximum = false }: NewProject,
): Promise<Project> {
  const row: ProjectRow = {
    id: `prj_${randomCharacters(randomBytes, BASE62, ID_LENGTH)}`,
    account_id: accountId,
    name: checkDisplayName("The project's name", name),
    created_at: clock(),
    deleted_at: null,
  };
  await inTransaction(db, async (transaction) => {
    const projects = () => transaction<ProjectRow>('projects');
    if (!mayExceedMaximum) {
      await lockAccount(transaction, { id: accountId });
      const counts = await projects()
        .where({ account_id: accountId, deleted_at: null })
        .count({ projects: '*' });
      const count = Number(counts[0]?.['projects'] ?? 0);
      if (count >= MAX_PROJECTS)
        throw new ServiceError(
          'invalidRequest',
          `You have ${count} projects, the most that an account may make. Ask the operator for more.`,
        );
    }
    const inserted = await projects().insert(row).onConflict(['account_id', 'name']).ignore().returning('id');
    if (inserted.length === 0)
      throw new ServiceError(
        'invalidRequest',
        `The account already has a project named "${row.name}". Choose another name.`,
      );
  });
  return projectFromRow(row);
}

/** Creates a project. Throws the ServiceErrors of `addProject`. */
export async function createProject(context: DomainContext, newProject: NewProject): Promise<Project> {
  const { db, audit, actor } = context;
  return inTransaction(db, async (transaction) => {
    const project = await addProject({ ...context, db: transaction }, newProject);
    await audit.record(transaction, actor, {
      kind: 'project.created',
      subjectId: newProject.accountId,
      detail: project.id,
    });
    return project;
  });
}
