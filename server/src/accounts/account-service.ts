import type { Database } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import {
  disableAccount,
  enableAccount,
  setAccountLimits,
  setApiAccess,
  type NewAccountLimits,
} from './account-state.js';
import { listAccountSummaries, type SummaryPage } from './account-summaries.js';
import { findAccountById } from './account.js';
import { changePassword, setPassword, type PasswordChange, verifyCurrent } from './change-password.js';
import { createAccount, type AccountDeps, type NewAccount } from './create-account.js';
import { createCappedProject, findProjectOf, listProjects, type NewProject } from './project.js';
import { signIn, type SignInAttempt } from './sign-in.js';
import { signUp, type SignUp } from './sign-up.js';

interface AccountServiceDeps extends AccountDeps {
  readonly db: Database;
  readonly throttle: Throttle;
}

/** Accounts and projects for whoever must not see the database. */
export function createAccountService(deps: AccountServiceDeps) {
  const { db, clock } = deps;
  return {
    find: (id: string) => findAccountById(db, id),
    listSummaries: (page: SummaryPage) => listAccountSummaries(db, page),
    create: (wanted: NewAccount) => createAccount(db, deps, wanted),
    signIn: (attempt: SignInAttempt) => signIn(deps, attempt),
    signUp: (wanted: SignUp) => signUp(deps, wanted),
    changePassword: (change: PasswordChange) => changePassword(deps, change),
    /** Throws a ServiceError where it is not the account's password, or wrong ones were tried too often. */
    verifyPassword: async (accountId: string, current: string): Promise<void> => {
      await verifyCurrent(deps, { accountId, current });
    },
    /** Answers the new password, to be shown this once. */
    generatePassword: (id: string) => setPassword(deps, id),
    enable: (id: string) => enableAccount(db, id),
    disable: (id: string) => disableAccount(db, id, clock),
    setApiAccess: (id: string, hasApiAccess: boolean) => setApiAccess(db, id, hasApiAccess),
    setLimits: (id: string, limits: NewAccountLimits) => setAccountLimits(db, id, limits),
    listProjects: (id: string) => listProjects(db, id),
    findProject: (id: string, projectId: string) => findProjectOf(db, id, projectId),
    createProject: (wanted: NewProject) => createCappedProject(db, deps, wanted),
  };
}

export type AccountService = ReturnType<typeof createAccountService>;
