import type { Account } from '../accounts/account.js';
import { listProjects } from '../accounts/list-projects.js';
import type { Project } from '../accounts/project.js';
import { closest } from '../closest.js';
import { ServiceError } from '../service-error.js';
import type { Database } from '../storage/storage.js';

/** The project of this name in an account; throws a ServiceError that names the one that was probably meant. */
export async function requireProject(db: Database, account: Account, name: string): Promise<Project> {
  const projects = await listProjects(db, account.id);
  const project = projects.find((known) => known.name === name.trim().normalize('NFC'));
  if (project !== undefined) return project;
  const near = closest(
    name,
    projects.map((known) => known.name),
  );
  const meant = near === undefined ? '.' : `: did you mean "${near}"?`;
  throw new ServiceError(
    'invalidRequest',
    `The account ${account.email} has no project "${name}"${meant} "signpost project list --account ` +
      `${account.email}" shows them all, "signpost project create" makes one.`,
  );
}
