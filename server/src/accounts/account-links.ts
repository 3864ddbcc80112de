import type { Actor, Audit } from '../audit/audit.js';
import { ServiceError } from '../platform/errors.js';
import { HOUR_MS } from '../platform/time-units.js';
import { type Database, type Transact, transactOn } from '../storage/storage.js';
import { type Account, findAccountById } from './account.js';
import { setPassword } from './change-password.js';
import { type AccountDeps, createAccount, type NewAccount } from './create-account.js';
import type { PasswordHasher } from './password.js';
import { type PasswordTurnDeps, withPasswordTurn } from './password-turn.js';
import {
  createLink,
  findLink,
  isInvited,
  linkGone,
  type LinkKind,
  type OneTimeLink,
  useLinkUp,
} from './one-time-links.js';

/** Counts passwords that the rules reject too, because checking one takes time. */
const MAX_TRIES_OF_LINK = 20;
const TRIES_WINDOW_MS = HOUR_MS;

interface AccountLinksDeps extends AccountDeps, PasswordTurnDeps {
  readonly passwordHasher: PasswordHasher;
  readonly db: Database;
  readonly audit: Audit;
}

/** An account, and the link for its owner to choose a password. */
export interface LinkedAccount {
  readonly account: Account;
  readonly link: OneTimeLink;
}

/** The password that somebody chose after opening a link. */
export interface LinkUse {
  readonly token: string;
  readonly password: string;
  /** The IP address of the caller. */
  readonly address: string;
}

const accountState = ({ isOperator, hasApiAccess }: Account) =>
  `operator ${isOperator ? 'on' : 'off'}, API access ${hasApiAccess ? 'on' : 'off'}`;

/** Making links, for new and existing accounts. */
function createMaking(deps: AccountLinksDeps) {
  const { db, audit } = deps;

  const make = async (transaction: Database, actor: Actor, accountId: string, kind: LinkKind) => {
    const link = await createLink(transaction, deps, accountId, kind);
    await audit.record(transaction, actor, { kind: 'link.made', subjectId: accountId, detail: kind });
    return link;
  };

  return {
    /** Makes an account with a link. Until the link is used, the account has a random password that nobody knows. */
    async invite(
      actor: Actor,
      wanted: Omit<NewAccount, 'password'>,
      transact?: Transact,
    ): Promise<LinkedAccount> {
      const made: OneTimeLink[] = [];
      const { account } = await withPasswordTurn(deps, { address: actor.address }, () =>
        createAccount(
          db,
          deps,
          { ...wanted, password: undefined },
          async (transaction, created) => {
            const act = { subjectId: created.id, detail: accountState(created) };
            await audit.record(transaction, actor, { kind: 'account.created', ...act });
            made.push(await make(transaction, actor, created.id, 'invitation'));
          },
          transact,
        ),
      );
      const [link] = made;
      if (link === undefined) throw new Error('The account was made without its link.');
      return { account, link };
    },

    /** Makes a link for an existing account: for a new password, or a new invitation if the first one is unused. */
    async createPasswordLink(
      actor: Actor,
      accountId: string,
      transact: Transact = transactOn(db),
    ): Promise<LinkedAccount> {
      const account = await findAccountById(db, accountId);
      if (account === undefined) throw new ServiceError('notFound', 'There is no such account.');
      if (account.disabledAtMs !== null) {
        throw new ServiceError(
          'invalidRequest',
          'The account is disabled. Enable it first, then make a link.',
        );
      }
      const link = await transact(async (transaction) => {
        const kind = (await isInvited(transaction, accountId)) ? 'invitation' : 'reset';
        return make(transaction, actor, accountId, kind);
      });
      return { account, link };
    },
  };
}

/** Opening and using links. */
function createUsing(deps: AccountLinksDeps) {
  const { db, clock, audit } = deps;

  const accountOf = async (id: string): Promise<Account> => {
    const account = await findAccountById(db, id);
    if (account === undefined) throw linkGone();
    return account;
  };

  return {
    /** The account that a link is for. Throws a ServiceError if the link does not work. */
    async openLink(token: string): Promise<{ readonly account: Account; readonly kind: LinkKind }> {
      const found = await findLink(db, token, clock());
      if (found === undefined) throw linkGone();
      return { account: await accountOf(found.accountId), kind: found.kind };
    },

    /**
     * Gives the account of a link the password, ends its sessions, and returns it. Throws a ServiceError if the link does
     * not work, if the password breaks the rules, which leaves the link as it is, or if there were too many tries.
     */
    async useLink({ token, password, address }: LinkUse): Promise<Account> {
      const found = await findLink(db, token, clock());
      if (found === undefined) throw linkGone();
      const { accountId, kind } = found;
      // Counted for the link, not the address: invited people may share one. Only somebody with the link can use it up.
      const budget = {
        subject: `link of ${accountId}`,
        maxTries: MAX_TRIES_OF_LINK,
        windowMs: TRIES_WINDOW_MS,
      };
      const actor = { accountId, address, via: 'console' } as const;
      await withPasswordTurn(deps, { address, budgets: [budget] }, () =>
        setPassword(deps, accountId, password, async (transaction) => {
          await useLinkUp(transaction, token, clock());
          await audit.record(transaction, actor, { kind: 'link.used', subjectId: accountId, detail: kind });
        }),
      );
      return accountOf(accountId);
    },
  };
}

/** One-time links that let the owner of an account choose a password that nobody else knows. */
export const createAccountLinks = (deps: AccountLinksDeps) => ({
  ...createMaking(deps),
  ...createUsing(deps),
});
