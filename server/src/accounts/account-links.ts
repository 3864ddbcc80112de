import type { DomainContext, ReadContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { HOUR_MS } from '../platform/time-units.js';
import { inTransaction } from '../storage/storage.js';
import type { AccountContext } from './account-context.js';
import { rightsOf } from './account-state.js';
import { type Account, findAccountById } from './account.js';
import { hashPassword, storePassword } from './change-password.js';
import { type NewAccount, prepareAccount, type PreparedAccount, storeAccount } from './create-account.js';
import { queuePasswordWork } from './password-queue.js';
import {
  createLink,
  findLink,
  isInvited,
  invalidLink,
  type LinkKind,
  type OneTimeLink,
  consumeLink,
} from './one-time-links.js';

/**
 * How often the links of one account may be tried in an hour. A try with a password that the rules reject counts too,
 * because checking it takes time.
 */
const MAX_TRIES_OF_LINK = 20;
const TRIES_WINDOW_MS = HOUR_MS;

/** An account, and the link for its owner to choose a password. */
export interface LinkedAccount {
  readonly account: Account;
  readonly link: OneTimeLink;
}

async function makeLink(context: DomainContext, accountId: string, kind: LinkKind): Promise<OneTimeLink> {
  const link = await createLink(context, accountId, kind);
  await context.audit.record(context.db, context.actor, {
    kind: 'link.made',
    subjectId: accountId,
    detail: kind,
  });
  return link;
}

/**
 * Prepares an account for `storeInvitation`, with a random password that nobody is told. Throws a ServiceError if the
 * e-mail or the name is not valid, or, as `overloaded`, if too many passwords wait to be hashed. Takes long: call it
 * outside of transactions.
 */
export const prepareInvitation = (
  context: AccountContext,
  newAccount: Omit<NewAccount, 'password'>,
): Promise<PreparedAccount> =>
  queuePasswordWork(context, [], () => prepareAccount(context, { ...newAccount, password: undefined }));

/** Stores an account and makes the link for its owner. Throws a ServiceError if its e-mail is taken. */
export async function storeInvitation(
  context: DomainContext,
  prepared: PreparedAccount,
): Promise<LinkedAccount> {
  const { db, audit, actor } = context;
  return inTransaction(db, async (transaction) => {
    const account = await storeAccount(transaction, prepared);
    const detail = rightsOf(account);
    await audit.record(transaction, actor, { kind: 'account.created', subjectId: account.id, detail });
    const link = await makeLink({ ...context, db: transaction }, account.id, 'invitation');
    return { account, link };
  });
}

/**
 * Makes a link for an existing account: an invitation if the account has an unused one, even an expired one, otherwise
 * a password reset. An earlier link no longer works. Throws a ServiceError if there is no such account, or if it is
 * disabled.
 */
export async function createPasswordLink(context: DomainContext, accountId: string): Promise<LinkedAccount> {
  const account = await findAccountById(context, accountId);
  if (account === undefined) throw new ServiceError('notFound', 'There is no such account.');
  if (account.disabledAtMs !== null) {
    throw new ServiceError('invalidRequest', 'The account is disabled. Enable it first, then make a link.');
  }
  const link = await inTransaction(context.db, async (transaction) => {
    const kind = (await isInvited(transaction, accountId)) ? 'invitation' : 'reset';
    return makeLink({ ...context, db: transaction }, accountId, kind);
  });
  return { account, link };
}

/**
 * Returns the account that a link is for, and the kind of the link. Throws a ServiceError if the link does not work.
 */
export async function openLink(
  context: ReadContext,
  token: string,
): Promise<{ readonly account: Account; readonly kind: LinkKind }> {
  const found = await findLink(context, token);
  if (found === undefined) throw invalidLink();
  const account = await findAccountById(context, found.accountId);
  if (account === undefined) throw invalidLink();
  return { account, kind: found.kind };
}

/** The token of a link, and the password that somebody chose after opening the link. */
export interface LinkUse {
  readonly token: string;
  readonly password: string;
}

/**
 * Sets the password of the account that a link is for, ends the account's sessions, and returns the account. The link
 * is then used up. Throws a ServiceError if the link does not work or the password breaks the rules, or, as
 * `rateLimited` or `overloaded`, if there were too many tries or too many passwords wait to be hashed. An error does
 * not use up the link.
 */
export async function useLink(context: AccountContext, { token, password }: LinkUse): Promise<Account> {
  const { db, clock, audit } = context;
  const {
    account: { id },
    kind,
  } = await openLink(context, token);
  // Tries are counted per account, not per network address, because invited people may share an address. Only somebody
  // who has a link of the account can use up its tries.
  const budget = { subject: `link of ${id}`, maxTries: MAX_TRIES_OF_LINK, windowMs: TRIES_WINDOW_MS };
  const chosen = await queuePasswordWork(context, [budget], () => hashPassword(context, id, password));
  return inTransaction(db, async (transaction) => {
    await storePassword(transaction, id, chosen);
    await consumeLink(transaction, token, clock());
    const actor = { ...context.actor, accountId: id };
    await audit.record(transaction, actor, { kind: 'link.used', subjectId: id, detail: kind });
    // Reads the account only now: a second factor may have been turned on while the password was waiting to be hashed.
    const account = await findAccountById({ db: transaction }, id);
    if (account === undefined) throw invalidLink();
    return account;
  });
}
