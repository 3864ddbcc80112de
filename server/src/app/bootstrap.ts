import type { KeyObject } from 'node:crypto';
import { type Audit, SERVER_ACTOR } from '../audit/audit.js';
import { createKey } from '../keys/create-key.js';
import { lockInstallation } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { hasAccounts } from '../accounts/account.js';
import { createAccount, type AccountDeps } from '../accounts/create-account.js';
import { createProject } from '../accounts/project.js';

const FIRST_EMAIL = 'operator@localhost';
const FIRST_PROJECT = 'First project';

interface BootstrapDeps extends AccountDeps {
  readonly keyPepper: KeyObject;
  readonly audit: Audit;
}

/** The credentials of a new installation. Password and key can be shown only this once. */
export interface BootstrapCredentials {
  readonly email: string;
  readonly password: string;
  readonly projectName: string;
  readonly key: string;
}

/**
 * Creates an operator with a one-time password, a project and a key in a database without accounts, all or nothing.
 * Returns undefined and does nothing if there is an account. If several servers start at once, only one does it. The
 * database must already be bound to its secret.
 */
export async function bootstrapInstallation(
  db: Database,
  deps: BootstrapDeps,
): Promise<BootstrapCredentials | undefined> {
  if (await hasAccounts(db)) return undefined;
  return db.transaction(async (transaction) => {
    await lockInstallation(transaction);
    if (await hasAccounts(transaction)) return undefined;
    const { account, generatedPassword: password = '' } = await createAccount(transaction, deps, {
      email: FIRST_EMAIL,
      isOperator: true,
      hasApiAccess: true,
    });
    const project = await createProject(transaction, deps, { accountId: account.id, name: FIRST_PROJECT });
    await deps.audit.record(transaction, SERVER_ACTOR, { kind: 'account.created', subjectId: account.id });
    const { key } = await createKey(
      { ...deps, db: transaction, actor: SERVER_ACTOR },
      { accountId: account.id, projectId: project.id },
    );
    return { email: account.email, password, projectName: project.name, key };
  });
}
