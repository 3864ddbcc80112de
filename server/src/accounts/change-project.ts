import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { keyIsLive } from '../storage/key-life.js';
import { lockAccount, lockProject } from '../storage/locks.js';
import type { ApiKeyRow, ProjectRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import { checkDisplayName } from '../platform/display-name.js';

export interface OwnedProject {
  readonly accountId: string;
  readonly projectId: string;
}

const projects = (db: Database) => db<ProjectRow>('projects');

/**
 * Locks the account and the project. Throws a ServiceError if the account has no such project, or if the project was
 * deleted.
 */
async function lockOwnedProject(
  transaction: Database,
  { accountId, projectId }: OwnedProject,
): Promise<void> {
  await lockAccount(transaction, { id: accountId });
  if (await lockProject(transaction, { id: projectId, account_id: accountId })) return;
  throw new ServiceError('notFound', 'You have no such project. It may have been deleted.');
}

/**
 * Renames a project. Throws a ServiceError if the account has no such project, or if the name is not valid or is taken
 * in this account.
 */
export async function renameProject(
  { db, audit, actor }: DomainContext,
  ownedProject: OwnedProject,
  text: string,
): Promise<void> {
  const { accountId, projectId } = ownedProject;
  const name = checkDisplayName("The project's name", text);
  await inTransaction(db, async (transaction) => {
    await lockOwnedProject(transaction, ownedProject);
    const sameName = await projects(transaction)
      .where({ account_id: accountId, name })
      .whereNot({ id: projectId })
      .first('id');
    if (sameName !== undefined)
      throw new ServiceError(
        'invalidRequest',
        `The account already has a project named "${name}". Choose another name.`,
      );
    await projects(transaction).where({ id: projectId }).update({ name });
    await audit.record(transaction, actor, {
      kind: 'project.renamed',
      subjectId: accountId,
      detail: projectId,
    });
  });
}

const MAX_KEPT_NAME_CHARACTERS = 60;

/**
 * The name that a deleted project gets: the start of its old name, and the time. Another project can then have the old
 * name.
 */
const deletedName = (name: string, nowMs: number) =>
  `${[...name].slice(0, MAX_KEPT_NAME_CHARACTERS).join('')} (deleted ${new Date(nowMs).toISOString()})`;

/**
 * Deletes a project and revokes its keys. Keeps its row, the keys and their usage, so that deleting a project does not
 * reset the account's limits. Only a project that never had keys is removed completely. Throws a ServiceError if the
 * account has no such project.
 */
export async function deleteProject(
  { db, clock, audit, actor }: DomainContext,
  ownedProject: OwnedProject,
): Promise<void> {
  const { accountId: subjectId, projectId } = ownedProject;
  await inTransaction(db, async (transaction) => {
    await lockOwnedProject(transaction, ownedProject);
    const project = () => projects(transaction).where({ id: projectId });
    const keys = () => transaction<ApiKeyRow>('api_keys').where({ project_id: projectId });
    if ((await keys().first('id')) === undefined) await project().delete();
    else {
      const nowMs = clock();
      const live = () => keys().whereRaw(keyIsLive('api_keys'), [nowMs]);
      const prefixes: string[] = await live().pluck('prefix');
      await live().update({ revoked_at: nowMs });
      const row = await project().first('name');
      await project().update({ deleted_at: nowMs, name: deletedName(row?.name ?? '', nowMs) });
      for (const detail of prefixes)
        await audit.record(transaction, actor, { kind: 'key.revoked', subjectId, detail });
    }
    await audit.record(transaction, actor, { kind: 'project.deleted', subjectId, detail: projectId });
  });
}
