import type { Actor, Audit } from '../audit/audit.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { keyIsLive } from '../storage/key-life.js';
import { type ApiKeyRow, lockAccount, lockProject, type ProjectRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { checkDisplayName } from '../platform/display-name.js';

export interface OwnProject {
  readonly accountId: string;
  readonly projectId: string;
}

const projects = (db: Database) => db<ProjectRow>('projects');

/**
 * Locks the account, so that its projects do not change after they are checked. Throws a ServiceError if the project
 * is deleted.
 */
async function lock(transaction: Database, { accountId, projectId }: OwnProject): Promise<void> {
  await lockAccount(transaction, { id: accountId });
  if (await lockProject(transaction, { id: projectId, account_id: accountId })) return;
  throw new ServiceError('notFound', 'You have no such project. It may have been deleted.');
}

/** Renames a project. Throws a ServiceError if the name is not valid, or is taken in this account. */
export async function renameProject(transaction: Database, own: OwnProject, text: string): Promise<void> {
  const name = checkDisplayName("The project's name", text);
  await lock(transaction, own);
  const { accountId, projectId } = own;
  const taken = await projects(transaction)
    .where({ account_id: accountId, name })
    .whereNot({ id: projectId })
    .first('id');
  if (taken !== undefined)
    throw new ServiceError(
      'invalidRequest',
      `The account already has a project named "${name}". Choose another name.`,
    );
  await projects(transaction).where({ id: projectId }).update({ name });
}

const MAX_KEPT_NAME_CHARACTERS = 60;

/** The name of a deleted project, which frees its own name for another. */
const deletedName = (name: string, nowMs: number) =>
  `${[...name].slice(0, MAX_KEPT_NAME_CHARACTERS).join('')} (deleted ${new Date(nowMs).toISOString()})`;

/**
 * Deletes a project and revokes its keys. Returns their prefixes. The keys and their usage are kept, so that nobody
 * gets a new allowance by deleting. A project that never had keys is removed.
 */
export async function deleteProject(
  transaction: Database,
  own: OwnProject,
  nowMs: number,
): Promise<readonly string[]> {
  await lock(transaction, own);
  const project = () => projects(transaction).where({ id: own.projectId });
  const keys = () => transaction<ApiKeyRow>('api_keys').where({ project_id: own.projectId });
  if ((await keys().first('id')) === undefined) {
    await project().delete();
    return [];
  }
  const live = () => keys().whereRaw(keyIsLive('api_keys'), [nowMs]);
  const prefixes: string[] = await live().pluck('prefix');
  await live().update({ revoked_at: nowMs });
  const row = await project().first('name');
  await project().update({ deleted_at: nowMs, name: deletedName(row?.name ?? '', nowMs) });
  return prefixes;
}

interface ProjectChangesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}

/** Changes of projects, which are audited in the same transaction. */
export const createProjectChanges = ({ db, clock, audit }: ProjectChangesDeps) => ({
  renameProject: (actor: Actor, own: OwnProject, name: string) =>
    audit.perform(db, actor, (transaction) => renameProject(transaction, own, name), {
      kind: 'project.renamed',
      subjectId: own.accountId,
      detail: own.projectId,
    }),
  deleteProject: (actor: Actor, own: OwnProject) =>
    audit.perform(
      db,
      actor,
      async (transaction) => {
        const prefixes = await deleteProject(transaction, own, clock());
        for (const detail of prefixes)
          await audit.record(transaction, actor, { kind: 'key.revoked', subjectId: own.accountId, detail });
      },
      { kind: 'project.deleted', subjectId: own.accountId, detail: own.projectId },
    ),
});
