import { ServiceError } from '../service-error.js';
import { lockAccount } from '../storage/lock-account.js';
import type { ProjectRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { createProject, type NewProject, type ProjectMaker } from './create-project.js';
import type { Project } from './project.js';

/** The command line makes more. */
const MOST_PROJECTS = 20;

/**
 * Makes a project as `createProject` does, where the account has not as many as people may make themselves. Throws a
 * ServiceError where it has, however many ask at once.
 */
export async function createCappedProject(
  db: Database,
  maker: ProjectMaker,
  wanted: NewProject,
): Promise<Project> {
  return db.transaction(async (transaction) => {
    await lockAccount(transaction, { id: wanted.accountId });
    const counts = await transaction<ProjectRow>('projects')
      .where({ account_id: wanted.accountId })
      .count({ projects: '*' });
    const projects = Number(counts[0]?.['projects'] ?? 0);
    if (projects >= MOST_PROJECTS) {
      throw new ServiceError(
        'invalidRequest',
        `You have ${projects} projects, the most that an account may make. Ask the operator for more.`,
      );
    }
    return createProject(transaction, maker, wanted);
  });
}
