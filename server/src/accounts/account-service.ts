import type { Act, Actor, Audit } from '../audit/audit.js';
import { ServiceError } from '../platform/errors.js';
import type { Database, Transact } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import {
  disableAccount,
  enableAccount,
  removeSecondFactor,
  setAccountLimits,
  setAlerts,
  setApiAccess,
  setPageLogging,
  type NewAccountLimits,
} from './account-state.js';
import { createAccountLinks } from './account-links.js';
import { changeEmail, type EmailChange, renameAccount } from './change-account.js';
import { createProjectChanges } from './change-project.js';
import { listAccountSummaries, type SummaryPage } from './account-summaries.js';
import { findAccount, findAccountById, isEmail } from './account.js';
import { changePassword, setPassword, verifyCurrent, type PasswordChange } from './change-password.js';
import { createAccount, type AccountDeps, type NewAccount } from './create-account.js';
import { deleteAccount } from './delete-account.js';
import { requireAnotherOperator, setOperator } from './operators.js';
import {
  createCappedProject,
  createProject,
  findProjectOf,
  listProjects,
  type NewProject,
} from './project.js';
import { listProjectSummaries, type ProjectPage } from './project-summaries.js';
import { endSession, removeSessionsOf } from './session-store.js';
import { withPasswordTurn } from './password-turn.js';
import { signIn, type SignInAttempt } from './sign-in.js';
import { signUp, type SignUp } from './sign-up.js';

interface AccountServiceDeps extends AccountDeps {
  readonly db: Database;
  readonly throttle: Throttle;
  readonly audit: Audit;
}

/** A change without its address, which comes from the actor. */
type ByActor<Change> = Omit<Change, 'address'>;

const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off');

/** The actor for a sign-in or sign-up. */
const visitor = (accountId: string | null, address: string): Actor => ({
  accountId,
  address,
  via: 'console',
});

const aboutOwn = (kind: Act['kind'], subjectId: string | null): Act => ({ kind, subjectId });

/** Audits a wrong current password. */
const enteredBy =
  ({ db, audit }: AccountServiceDeps) =>
  async <Result>(actor: Actor, accountId: string, work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'unauthorized')
        await audit.record(db, actor, aboutOwn('password.refused', accountId));
      throw error;
    }
  };

/** Changes of an account's name and e-mail by its owner. */
function createDetails(deps: AccountServiceDeps) {
  const { db, audit } = deps;
  const entered = enteredBy(deps);
  return {
    /** Changes the name of an account. A blank name removes it. */
    rename: (actor: Actor, id: string, name: string) =>
      audit.perform(
        db,
        actor,
        (transaction) => renameAccount(transaction, id, name),
        aboutOwn('account.renamed', id),
      ),
    /** Changes the e-mail that an account signs in with, if `current` is its password. */
    changeEmail: (actor: Actor, change: ByActor<EmailChange>) =>
      entered(
        actor,
        change.accountId,
        changeEmail(deps, { ...change, address: actor.address }, (transaction) =>
          audit.record(transaction, actor, aboutOwn('account.email-changed', change.accountId)),
        ),
      ),
  };
}

/** Sign-in, sign-out and passwords. Rejections are audited too. */
function createAccess(deps: AccountServiceDeps) {
  const { db, audit } = deps;
  const entered = enteredBy(deps);

  /** Ends sessions, and audits it if there were any. */
  const endedElsewhere = (actor: Actor, id: string, end: (transaction: Database) => Promise<number>) =>
    audit.perform(db, actor, end, (count) => (count === 0 ? undefined : aboutOwn('session.ended', id)));

  return {
    async signIn(attempt: SignInAttempt) {
      const { address } = attempt;
      const signedIn = await signIn(
        {
          ...deps,
          onRefused: (id) => audit.record(db, visitor(null, address), aboutOwn('session.refused', id)),
        },
        attempt,
      );
      const { id, hasSecondFactor } = signedIn.account;
      if (!hasSecondFactor) await audit.record(db, visitor(id, address), aboutOwn('session.signed-in', id));
      return signedIn;
    },
    /** Audits a sign-out. The caller ends the session. */
    signOut: (actor: Actor) => audit.record(db, actor, aboutOwn('session.signed-out', actor.accountId)),
    /** Ends one session of an account. */
    endSession: (actor: Actor, id: string, key: string) =>
      endedElsewhere(actor, id, (transaction) => endSession(transaction, id, key)),
    /** Ends all sessions of an account except the one with this cookie id. */
    endOtherSessions: (actor: Actor, id: string, exceptId: string) =>
      endedElsewhere(actor, id, (transaction) => removeSessionsOf(transaction, id, exceptId)),
    signUp: (wanted: SignUp) =>
      signUp(deps, wanted, (transaction, { id }) =>
        audit.record(transaction, visitor(id, wanted.address), aboutOwn('account.signed-up', id)),
      ),
    changePassword: (actor: Actor, change: ByActor<PasswordChange>) =>
      entered(
        actor,
        change.accountId,
        changePassword(deps, { ...change, address: actor.address }, (transaction) =>
          audit.record(transaction, actor, aboutOwn('password.changed', change.accountId)),
        ),
      ),
    /** Throws a ServiceError if this is not the account's password, or if there were too many wrong ones. */
    async verifyPassword(actor: Actor, accountId: string, current: string): Promise<void> {
      const { address } = actor;
      await entered(actor, accountId, verifyCurrent(deps, { accountId, current, address }));
    },
    /** Sets the password of an account. Without one, generates and returns one, to be shown only this once. */
    setPassword: (actor: Actor, id: string, given?: string) =>
      withPasswordTurn(deps, { address: actor.address }, () =>
        setPassword(deps, id, given, (transaction) =>
          audit.record(transaction, actor, aboutOwn('password.replaced', id)),
        ),
      ),
    /** Deletes the actor's own account, if `current` is its password. */
    async deleteOwn(actor: Actor, id: string, current: string) {
      const verifying = verifyCurrent(deps, { accountId: id, current, address: actor.address });
      const { password_hash: hash } = await entered(actor, id, verifying);
      await removeAccount(deps, actor, id, hash);
    },
  };
}

/** Deletes an account. Only its id stays in the audit, and that it was deleted. */
const removeAccount = (
  { db, audit }: AccountServiceDeps,
  actor: Actor,
  id: string,
  verifiedHash?: string,
): Promise<void> => {
  const shown = actor.accountId === id ? { ...actor, address: null } : actor;
  const work = async (transaction: Database) => {
    await deleteAccount(transaction, id, verifiedHash);
    await audit.eraseAddresses(transaction, id);
  };
  return audit.perform(db, shown, work, aboutOwn('account.deleted', id));
};

/** The projects of accounts. */
function createProjects(deps: AccountServiceDeps) {
  const { db, audit } = deps;

  const addProject = (create: typeof createProject) => (actor: Actor, wanted: NewProject) =>
    audit.perform(
      db,
      actor,
      (transaction) => create(transaction, deps, wanted),
      ({ id }) => ({ kind: 'project.created', subjectId: wanted.accountId, detail: id }),
    );

  return {
    listProjects: (id: string) => listProjects(db, id),
    findProject: (id: string, projectId: string) => findProjectOf(db, id, projectId),
    createProject: addProject(createProject),
    createCappedProject: addProject(createCappedProject),
  };
}

/** Changes an account, and audits it in the same transaction. */
const changing =
  ({ db, audit }: AccountServiceDeps) =>
  (
    actor: Actor,
    act: Act & { readonly subjectId: string },
    work: (transaction: Database, id: string) => Promise<void>,
    transact?: Transact,
  ) =>
    audit.perform(db, actor, (transaction) => work(transaction, act.subjectId), act, transact);

/** The rights and settings of an account. */
function createSettings(deps: AccountServiceDeps) {
  const change = changing(deps);
  return {
    setApiAccess: (actor: Actor, id: string, hasApiAccess: boolean, transact?: Transact) =>
      change(
        actor,
        { kind: `account.api-access-${onOrOff(hasApiAccess)}`, subjectId: id },
        (transaction) => setApiAccess(transaction, id, hasApiAccess),
        transact,
      ),
    setLimits: (actor: Actor, id: string, limits: NewAccountLimits, transact?: Transact) =>
      change(
        actor,
        { kind: 'account.limited', subjectId: id, detail: JSON.stringify(limits) },
        (transaction) => setAccountLimits(transaction, id, limits),
        transact,
      ),
    setAlerts: (actor: Actor, id: string, wantsAlerts: boolean) =>
      change(actor, { kind: `account.alerts-${onOrOff(wantsAlerts)}`, subjectId: id }, (transaction) =>
        setAlerts(transaction, id, wantsAlerts),
      ),
    setPageLogging: (actor: Actor, id: string, logsPages: boolean) =>
      change(actor, { kind: `account.pages-${onOrOff(logsPages)}`, subjectId: id }, (transaction) =>
        setPageLogging(transaction, id, logsPages),
      ),
  };
}

/** Accounts and projects, for code that must not access the database. Changes are audited in the same transaction. */
export function createAccountService(deps: AccountServiceDeps) {
  const { db, clock, audit } = deps;
  const change = changing(deps);

  return {
    ...createAccess(deps),
    ...createDetails(deps),
    ...createProjectChanges(deps),
    ...createAccountLinks(deps),
    ...createProjects(deps),
    ...createSettings(deps),
    find: (id: string) => findAccountById(db, id),
    /** The id of the account with this e-mail. Any other text is returned as an id. */
    findId: async (text: string) =>
      (isEmail(text.toLowerCase()) ? (await findAccount(db, text))?.id : text) ?? text,
    listSummaries: (page: SummaryPage) => listAccountSummaries(db, page, clock()),
    listProjectSummaries: (page: ProjectPage) => listProjectSummaries(db, page, clock()),
    create: (actor: Actor, wanted: NewAccount) =>
      withPasswordTurn(deps, { address: actor.address }, () =>
        createAccount(db, deps, wanted, (transaction, { id, isOperator, hasApiAccess }) =>
          audit.record(transaction, actor, {
            kind: 'account.created',
            subjectId: id,
            detail: `operator ${onOrOff(isOperator)}, API access ${onOrOff(hasApiAccess)}`,
          }),
        ),
      ),
    enable: (actor: Actor, id: string) =>
      change(actor, { kind: 'account.enabled', subjectId: id }, enableAccount),
    disable: (actor: Actor, id: string) =>
      change(actor, { kind: 'account.disabled', subjectId: id }, async (transaction) => {
        await requireAnotherOperator(transaction, id);
        await disableAccount(transaction, id, clock);
      }),
    remove: (actor: Actor, id: string) => removeAccount(deps, actor, id),
    setOperator: (actor: Actor, id: string, isOperator: boolean) =>
      change(actor, { kind: `account.operator-${onOrOff(isOperator)}`, subjectId: id }, (transaction) =>
        setOperator(transaction, id, isOperator),
      ),
    removeSecondFactor: (actor: Actor, id: string) =>
      audit.perform(
        db,
        actor,
        (transaction) => removeSecondFactor(transaction, id),
        (wasOn) => (wasOn ? { kind: 'second-factor.off', subjectId: id } : undefined),
      ),
  };
}

export type AccountService = ReturnType<typeof createAccountService>;
