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

/** What a new installation begins with; password and key are to be shown this once. */
export interface BootstrapCredentials {
  readonly email: string;
  readonly password: string;
  readonly projectName: string;
  readonly key: string;
}

/**
 * Gives a database without accounts an operator with a one-time password, a project and a key, all or nothing;
 * answers undefined, and does nothing, where there is an account. Of servers that start at once one does it. The
 * database must be bound to its secret already.
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
    const { key, prefix } = await createKey(transaction, deps, { projectId: project.id });
    const subjectId = account.id;
    await deps.audit.record(transaction, SERVER_ACTOR, { kind: 'account.created', subjectId });
    await deps.audit.record(transaction, SERVER_ACTOR, { kind: 'key.created', subjectId, detail: prefix });
    return { email: account.email, password, projectName: project.name, key };
  });
}
