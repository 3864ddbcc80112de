import type { ProjectRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { projectFromRow, type Project } from './project.js';

/** All projects of an account, by name. */
export async function listProjects(db: Database, accountId: string): Promise<Project[]> {
  const rows: ProjectRow[] = await db<ProjectRow>('projects')
    .where({ account_id: accountId })
    .orderBy('name');
  return rows.map(projectFromRow);
}
