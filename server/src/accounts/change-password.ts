import { ServiceError } from '../platform/errors.js';
import { MINUTE_MS } from '../platform/time-units.js';
import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { Budget } from '../throttle/throttle.js';
import {
  checkPassword,
  checkPasswordLength,
  choosePassword,
  type PasswordHasher,
  PasswordRefusal,
  type HashPasswordDeps,
} from './password.js';
import { removeLinkOf } from './one-time-links.js';
import { type PasswordTurnDeps, withPasswordTurn } from './password-turn.js';
import { removeSessionsOf } from './session-store.js';

const WINDOW_MS = 15 * MINUTE_MS;
const MAX_TRIES = 10;

interface SetPasswordDeps extends HashPasswordDeps {
  readonly db: Database;
}

export interface ChangePasswordDeps extends SetPasswordDeps, PasswordTurnDeps {
  readonly passwordHasher: PasswordHasher;
}

/** The current password, entered to confirm something. */
export interface CurrentPassword {
  readonly accountId: string;
  readonly current: string;
  /** The IP address of the caller. */
  readonly address: string | null;
}

export interface PasswordChange extends CurrentPassword {
  readonly next: string;
  /** The cookie id of the session to keep. All others of the account end. */
  readonly exceptSessionId?: string | undefined;
}

/** Stores in the same transaction what belongs to a change. */
type AlsoStore = (transaction: Database) => Promise<void>;
const nothingElse: AlsoStore = () => Promise.resolve();

/**
 * Returns the account if `current` is its password. Throws a ServiceError: `unauthorized` if it is wrong, `rateLimited` if
 * it was wrong too often or one of the other budgets is used up, `overloaded` if too many are waiting.
 */
export async function verifyCurrent(
  { db, throttle, passwordHasher }: ChangePasswordDeps,
  { accountId, current, address }: CurrentPassword,
  alsoCounted: readonly Budget[] = [],
): Promise<AccountRow> {
  const budget = { subject: `password of ${accountId}`, maxTries: MAX_TRIES, windowMs: WINDOW_MS };
  const budgets = [...alsoCounted, budget];
  return withPasswordTurn({ throttle, passwordHasher }, { address, budgets }, async () => {
    const row = await db<AccountRow>('accounts').where({ id: accountId }).first();
    const isRight = await passwordHasher.verify(current, row?.password_hash);
    if (row === undefined || !isRight) {
      throw new ServiceError('unauthorized', 'The current password is wrong.');
    }
    await throttle.forget([budget.subject]);
    return row;
  });
}

/**
 * Replaces a password with one that its owner chose, and ends the account's other sessions. Returns the new hash.
 * Throws a ServiceError if the current password is wrong, was wrong too often or has just been changed, or if the new
 * one breaks the rules or is the current one.
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  change: PasswordChange,
  alsoStore = nothingElse,
): Promise<string> {
  const { accountId, current, next, address, exceptSessionId } = change;
  checkPasswordLength(next);
  if (next.normalize('NFKC') === current.normalize('NFKC')) {
    throw new PasswordRefusal('The new password is the same as the current one. Choose another.');
  }
  const { password_hash: oldHash, email, name } = await verifyCurrent(deps, change);
  const newHash = await withPasswordTurn(deps, { address }, async () => {
    await checkPassword(next, { email, name });
    return deps.passwordHasher.hash(next, deps.randomBytes);
  });
  await deps.db.transaction(async (db) => {
    const changed = await db<AccountRow>('accounts')
      .where({ id: accountId, password_hash: oldHash })
      .update({ password_hash: newHash, must_change_password: false });
    if (changed === 0) {
      throw new ServiceError(
        'invalidRequest',
        'The password has just been changed. Sign in with the new one.',
      );
    }
    await removeSessionsOf(db, accountId, exceptSessionId);
    await removeLinkOf(db, accountId);
    await alsoStore(db);
  });
  return newHash;
}

/**
 * Gives an account another password: the given one, or a generated one that its owner must change. Returns the generated
 * one, to be shown this once. All sessions of the account end, and its link for one use. Throws a ServiceError if the given
 * one breaks the rules. The caller is in `withPasswordTurn`.
 */
export async function setPassword(
  deps: SetPasswordDeps,
  accountId: string,
  given?: string,
  alsoStore = nothingElse,
): Promise<string | undefined> {
  const owner = await deps.db<AccountRow>('accounts').where({ id: accountId }).first();
  if (owner === undefined) throw new ServiceError('notFound', 'There is no such account.');
  const { password, isGenerated } = await choosePassword(given, owner, deps.randomBytes);
  const hash = await deps.passwordHasher.hash(password, deps.randomBytes);
  await deps.db.transaction(async (transaction) => {
    await transaction<AccountRow>('accounts')
      .where({ id: accountId })
      .update({ password_hash: hash, must_change_password: isGenerated });
    await removeSessionsOf(transaction, accountId);
    await alsoStore(transaction);
    await removeLinkOf(transaction, accountId);
  });
  return isGenerated ? password : undefined;
}
