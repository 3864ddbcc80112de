import { SERVER_ACTOR } from '../audit/audit.js';
import { createKey, type KeyContext } from '../keys/create-key.js';
import { lockInstallation } from '../storage/locks.js';
import { inTransaction } from '../storage/storage.js';
import { hasAccounts } from '../accounts/account.js';
import type { AccountContext } from '../accounts/account-context.js';
import { prepareAccount, storeAccount } from '../accounts/create-account.js';
import { addProject } from '../accounts/project.js';

const FIRST_EMAIL = 'operator@localhost';
const FIRST_PROJECT = 'First project';

type BootstrapContext = Omit<AccountContext & KeyContext, 'actor' | 'throttle'>;

/** The credentials of a new installation. Password and key can be shown only this once. */
export interface BootstrapCredentials {
  readonly email: string;
  readonly password: string;
  readonly projectName: string;
  readonly key: string;
}

/**
 * Creates an operator with a generated password, a project and a key in a database without accounts, all or nothing.
 * Returns undefined and does nothing if there is an account. If several servers start at once, only one does it. The
 * database must already be bound to its secret.
 */
export async function bootstrapInstallation(
  context: BootstrapContext,
): Promise<BootstrapCredentials | undefined> {
  if (await hasAccounts(context)) return undefined;
  const prepared = await prepareAccount(context, {
    email: FIRST_EMAIL,
    isOperator: true,
    hasApiAccess: true,
  });
  return inTransaction(context.db, async (db) => {
    await lockInstallation(db);
    if (await hasAccounts({ db })) return undefined;
    const within = { ...context, db, actor: SERVER_ACTOR };
    const { id: accountId, email } = await storeAccount(db, prepared);
    await context.audit.record(db, SERVER_ACTOR, { kind: 'account.created', subjectId: accountId });
    const project = await addProject(within, { accountId, name: FIRST_PROJECT });
    const { key } = await createKey(within, { accountId, projectId: project.id });
    return { email, password: prepared.generatedPassword ?? '', projectName: project.name, key };
  });
}
