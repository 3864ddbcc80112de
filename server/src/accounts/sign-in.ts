import { createHash } from 'node:crypto';
import { LIMITS } from '@signpost/contract';
import { ServiceError } from '../platform/errors.js';
import { DAY_MS, MINUTE_MS } from '../platform/time-units.js';
import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { Budget } from '../throttle/throttle.js';
import type { AccountContext } from './account-context.js';
import { type Account, accountFromRow, isEmail } from './account.js';
import { queuePasswordWork } from './password-queue.js';

const WINDOW_MS = 15 * MINUTE_MS;
const MAX_TRIES_OF_PAIR = 10;
const MAX_TRIES_OF_ADDRESS = 50;
const MAX_TRIES_OF_ACCOUNT = 100;

const { fromAddressIn15Minutes: MAX_RIGHT_FROM_ADDRESS, ofAccountADay: MAX_RIGHT_A_DAY } = LIMITS.signIns;
const usedUp = (count: number, period: string) =>
  `This account has signed in ${count} times in ${period}, which is the most that it may. ` +
  'A browser that is signed in stays so for a week: use that one.';

interface SignInBudgets {
  /** Failures for one account from one address. An owner who mistypes the password reaches this limit first. */
  readonly pair: Budget;
  /**
   * Failures from one address for all accounts together, so that nobody at that address can try one password on many
   * accounts.
   */
  readonly address: Budget;
  /** Failures for one account from all addresses. Many are allowed, so that strangers do not lock out the owner. */
  readonly account: Budget;
  /** Successful sign-ins to one account from one address. They are limited because each creates a session. */
  readonly right: Budget;
  /**
   * Successful sign-ins to one account per day. With a second factor they are not counted, so that a stranger who only
   * knows the password cannot use them up.
   */
  readonly rightOfDay: Budget;
}

/** The budgets of failed and of successful sign-ins. The e-mail is hashed: it may be a password typed by mistake. */
function signInBudgets(address: string, email: string): SignInBudgets {
  const account = createHash('sha256').update(email).digest('base64url');
  return {
    pair: { subject: `sign-in pair ${account} ${address}`, maxTries: MAX_TRIES_OF_PAIR, windowMs: WINDOW_MS },
    address: { subject: `sign-in address ${address}`, maxTries: MAX_TRIES_OF_ADDRESS, windowMs: WINDOW_MS },
    account: { subject: `sign-in account ${account}`, maxTries: MAX_TRIES_OF_ACCOUNT, windowMs: WINDOW_MS },
    right: {
      subject: `signed in pair ${account} ${address}`,
      maxTries: MAX_RIGHT_FROM_ADDRESS,
      windowMs: WINDOW_MS,
      usedUp: usedUp(MAX_RIGHT_FROM_ADDRESS, '15 minutes from your network address'),
    },
    rightOfDay: {
      subject: `signed in account ${account}`,
      maxTries: MAX_RIGHT_A_DAY,
      windowMs: DAY_MS,
      usedUp: usedUp(MAX_RIGHT_A_DAY, '24 hours'),
    },
  };
}

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
}

/** An account, and the verified hash of its password. A session begins only if the password still has that hash. */
export interface SignedIn {
  readonly account: Account;
  readonly passwordHash: string;
}

const wrongPassword = () => new ServiceError('unauthorized', 'The e-mail or the password is wrong.');

const accountDisabled = () =>
  new ServiceError(
    'unauthorized',
    'This account is disabled. Ask the operator of this server to enable it again.',
  );

/**
 * Queries even for a text that is not an e-mail, with a value that no account has, so that every attempt costs the
 * same.
 */
const findRow = (db: Database, email: string): Promise<AccountRow | undefined> =>
  db<AccountRow>('accounts')
    .where({ email: isEmail(email) ? email : '' })
    .first();

/**
 * The account with this e-mail and password. Throws a ServiceError: `unauthorized` if they are wrong, with a message
 * and a duration that do not reveal which, or if the account is disabled and the password right; `rateLimited` after
 * too many failures or sign-ins; `overloaded` if too many password checks are waiting. Audits each `unauthorized`, and
 * the sign-in unless the code of a second factor must still be entered.
 */
export async function signIn(
  context: AccountContext,
  { email: typedEmail, password }: SignInAttempt,
): Promise<SignedIn> {
  const { db, audit, actor, throttle, passwordHasher } = context;
  const email = typedEmail.trim().toLowerCase();
  const budgets = signInBudgets(throttle.addressSubject(actor.address), email);
  const { pair, right, rightOfDay } = budgets;
  const failures = [pair, budgets.address, budgets.account];
  await throttle.peek([right, rightOfDay]);
  const row = await queuePasswordWork(context, failures, async (countedTry) => {
    const found = await findRow(db, email);
    const isRight = await passwordHasher.verify(password, found?.password_hash);
    if (found === undefined || !isRight || found.disabled_at !== null) {
      const subjectId = found?.id ?? null;
      await audit.record(db, { ...actor, accountId: null }, { kind: 'session.refused', subjectId });
      throw found !== undefined && isRight ? accountDisabled() : wrongPassword();
    }
    await throttle.release(countedTry);
    await throttle.forget([pair.subject]);
    await throttle.take(found.has_second_factor ? [right] : [right, rightOfDay]);
    return found;
  });
  const account = accountFromRow(row);
  const { id, hasSecondFactor } = account;
  if (!hasSecondFactor)
    await audit.record(db, { ...actor, accountId: id }, { kind: 'session.signed-in', subjectId: id });
  return { account, passwordHash: row.password_hash };
}
