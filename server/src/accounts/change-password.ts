import { ServiceError } from '../platform/errors.js';
import { MINUTE_MS } from '../platform/time-units.js';
import type { AccountRow } from '../storage/rows.js';
import { type Database, inTransaction } from '../storage/storage.js';
import type { Budget } from '../throttle/throttle.js';
import type { AccountContext } from './account-context.js';
import { checkPassword, checkPasswordLength, choosePassword, PasswordRejection } from './password.js';
import { removeLinkOf } from './one-time-links.js';
import { queuePasswordWork } from './password-queue.js';
import { removeSessionsOf } from './sessions.js';

const WINDOW_MS = 15 * MINUTE_MS;
const MAX_TRIES = 10;

/**
 * Returns the account if `current` is its password. Throws a ServiceError: `unauthorized` if the password is wrong,
 * `rateLimited` if it was wrong too often or a budget in `alsoCounted` is used up, `overloaded` if too many password
 * checks are waiting. A wrong password is audited.
 */
export async function verifyPassword(
  context: AccountContext,
  accountId: string,
  current: string,
  alsoCounted: readonly Budget[] = [],
): Promise<AccountRow> {
  const { db, audit, actor, throttle, passwordHasher } = context;
  const budget = { subject: `password of ${accountId}`, maxTries: MAX_TRIES, windowMs: WINDOW_MS };
  return queuePasswordWork(context, [...alsoCounted, budget], async () => {
    const row = await db<AccountRow>('accounts').where({ id: accountId }).first();
    const isRight = await passwordHasher.verify(current, row?.password_hash);
    if (row === undefined || !isRight) {
      await audit.record(db, actor, { kind: 'password.refused', subjectId: accountId });
      throw new ServiceError('unauthorized', 'The current password is wrong.');
    }
    await throttle.forget([budget.subject]);
    return row;
  });
}

export interface PasswordChange {
  readonly accountId: string;
  readonly current: string;
  readonly next: string;
  /** The cookie id of the session to keep. All other sessions of the account end. */
  readonly exceptSessionId?: string | undefined;
}

/**
 * Replaces a password with one that its owner chose. Ends the account's sessions except `exceptSessionId`, and
 * invalidates its one-time link. Returns the new hash. Throws a ServiceError if the current password is wrong, was
 * wrong too often or has just been changed, if the new one breaks the rules or is the current one, or if too many
 * password checks are waiting.
 */
export async function changePassword(context: AccountContext, change: PasswordChange): Promise<string> {
  const { db, randomBytes, audit, actor, passwordHasher } = context;
  const { accountId, current, next, exceptSessionId } = change;
  checkPasswordLength(next);
  if (next.normalize('NFKC') === current.normalize('NFKC')) {
    throw new PasswordRejection('The new password is the same as the current one. Choose another.');
  }
  const { password_hash: oldHash, email, name } = await verifyPassword(context, accountId, current);
  const newHash = await queuePasswordWork(context, [], async () => {
    await checkPassword(next, { email, name });
    return passwordHasher.hash(next, randomBytes);
  });
  await inTransaction(db, async (transaction) => {
    const changed = await transaction<AccountRow>('accounts')
      .where({ id: accountId, password_hash: oldHash })
      .update({ password_hash: newHash, must_change_password: false });
    if (changed === 0) {
      throw new ServiceError(
        'invalidRequest',
        'The password has just been changed. Sign in with the new one.',
      );
    }
    await removeSessionsOf(transaction, accountId, exceptSessionId);
    await removeLinkOf(transaction, accountId);
    await audit.record(transaction, actor, { kind: 'password.changed', subjectId: accountId });
  });
  return newHash;
}

interface HashedPassword {
  readonly hash: string;
  /** The password if it was generated; undefined if one was given. */
  readonly generated: string | undefined;
}

/**
 * Checks the given password of an account, or generates one, and hashes it. Throws a ServiceError if there is no such
 * account, or if the given password breaks the rules. Call it in `queuePasswordWork`.
 */
export async function hashPassword(
  { db, randomBytes, passwordHasher }: AccountContext,
  accountId: string,
  chosen?: string,
): Promise<HashedPassword> {
  const owner = await db<AccountRow>('accounts').where({ id: accountId }).first();
  if (owner === undefined) throw new ServiceError('notFound', 'There is no such account.');
  const { password, isGenerated } = await choosePassword(chosen, owner, randomBytes);
  const hash = await passwordHasher.hash(password, randomBytes);
  return { hash, generated: isGenerated ? password : undefined };
}

/** Stores a new password in a transaction, without an audit entry. All sessions of the account end. */
export async function storePassword(
  transaction: Database,
  accountId: string,
  { hash, generated }: HashedPassword,
): Promise<void> {
  await transaction<AccountRow>('accounts')
    .where({ id: accountId })
    .update({ password_hash: hash, must_change_password: generated !== undefined });
  await removeSessionsOf(transaction, accountId);
}

/**
 * Sets the password of an account to the given text, or to a generated one that its owner must change. Returns the
 * generated one, to be shown only this once, or undefined if one was given. Ends all sessions of the account and
 * invalidates its one-time link. Throws a ServiceError if there is no such account, if the given password breaks the
 * rules, or if too many passwords wait to be hashed.
 */
export async function setPassword(
  context: AccountContext,
  accountId: string,
  chosen?: string,
): Promise<string | undefined> {
  const { db, audit, actor } = context;
  const hashed = await queuePasswordWork(context, [], () => hashPassword(context, accountId, chosen));
  await inTransaction(db, async (transaction) => {
    await storePassword(transaction, accountId, hashed);
    await removeLinkOf(transaction, accountId);
    await audit.record(transaction, actor, { kind: 'password.replaced', subjectId: accountId });
  });
  return hashed.generated;
}
