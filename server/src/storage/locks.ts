import { type AccountRow, INSTALLATION_ID, type InstallationRow, type ProjectRow } from './rows.js';
import type { Database } from './storage.js';

/**
 * Makes other transactions that call this function wait until this one ends. Call it first, before reading anything.
 */
export async function lockInstallation(transaction: Database): Promise<void> {
  await transaction<InstallationRow>('installation')
    .where({ id: INSTALLATION_ID })
    .update({ id: INSTALLATION_ID });
}

/**
 * Makes other transactions that lock or change this account wait until this one ends. Call it first, before reading
 * anything. Returns false if the account does not match all given values, or does not exist.
 */
export async function lockAccount(
  transaction: Database,
  account: Pick<AccountRow, 'id'> & Partial<AccountRow>,
): Promise<boolean> {
  const locked = await transaction<AccountRow>('accounts').where(account).update({ id: account.id });
  return locked > 0;
}

/**
 * Makes other transactions that lock or change this project wait until this one ends. Returns false if the project is
 * deleted, does not match all given values, or does not exist.
 */
export async function lockProject(
  transaction: Database,
  project: Pick<ProjectRow, 'id'> & Partial<ProjectRow>,
): Promise<boolean> {
  const locked = await transaction<ProjectRow>('projects')
    .where({ ...project, deleted_at: null })
    .update({ id: project.id });
  return locked > 0;
}
