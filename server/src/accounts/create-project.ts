import type { Clock } from '../clock.js';
import type { RandomBytes } from '../random-bytes.js';
import { BASE62, randomCharacters } from '../random-characters.js';
import { ServiceError } from '../service-error.js';
import type { ProjectRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { checkDisplayName } from './display-name.js';
import { projectFromRow, type Project } from './project.js';

const idLength = 20;

export interface NewProject {
  readonly accountId: string;
  readonly name: string;
}

export interface ProjectMaker {
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
}

/** Makes a project in an account; throws a ServiceError where the name is bad, or taken in this account. */
export async function createProject(
  db: Database,
  { randomBytes, clock }: ProjectMaker,
  wanted: NewProject,
): Promise<Project> {
  const row: ProjectRow = {
    id: `prj_${randomCharacters(randomBytes, BASE62, idLength)}`,
    account_id: wanted.accountId,
    name: checkDisplayName("The project's name", wanted.name),
    created_at: clock(),
  };
  const inserted = await db<ProjectRow>('projects')
    .insert(row)
    .onConflict(['account_id', 'name'])
    .ignore()
    .returning('id');
  if (inserted.length === 0) {
    throw new ServiceError(
      'invalidRequest',
      `The account has a project named "${row.name}" already. Choose another name.`,
    );
  }
  return projectFromRow(row);
}
