import type { ProjectRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { projectFromRow, type Project } from './project.js';

/** What is none, as one with a NUL byte, is kept away from the database, which may not take it. */
const isProjectId = (text: string) => /^prj_\w+$/u.test(text);

/** The project where it is this account's; undefined where it is another's or none. */
export async function findProjectOf(
  db: Database,
  accountId: string,
  projectId: string,
): Promise<Project | undefined> {
  if (!isProjectId(projectId)) return undefined;
  const row: ProjectRow | undefined = await db<ProjectRow>('projects')
    .where({ id: projectId, account_id: accountId })
    .first();
  return row && projectFromRow(row);
}
