import { createHash } from 'node:crypto';
import { ServiceError } from '../platform/errors.js';
import { MINUTE_MS } from '../platform/time-units.js';
import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import type { Budget, Throttle } from '../throttle/throttle.js';
import { type Account, accountFromRow, isEmail } from './account.js';
import { type PasswordTurnDeps, withPasswordTurn } from './password-turn.js';

const WINDOW_MS = 15 * MINUTE_MS;
const MAX_TRIES_OF_PAIR = 10;
const MAX_TRIES_OF_ADDRESS = 50;
const MAX_TRIES_OF_ACCOUNT = 100;

interface SignInBudgets {
  /** Of one account from one address: the one that a mistyping owner meets. */
  readonly pair: Budget;
  /** Of one address over all accounts, so that it cannot try a common password on each. */
  readonly address: Budget;
  /** Of one account from all addresses: wide, so that a stranger does not easily lock its owner out. */
  readonly account: Budget;
}

/** The budgets of failed sign-ins. What was typed as an e-mail is hashed: it may be long, or a password. */
function signInBudgets(addressSubject: Throttle['addressSubject'], email: string, ip: string): SignInBudgets {
  const address = addressSubject(ip);
  const account = createHash('sha256').update(email).digest('base64url');
  return {
    pair: { subject: `sign-in pair ${account} ${address}`, maxTries: MAX_TRIES_OF_PAIR, windowMs: WINDOW_MS },
    address: { subject: `sign-in address ${address}`, maxTries: MAX_TRIES_OF_ADDRESS, windowMs: WINDOW_MS },
    account: { subject: `sign-in account ${account}`, maxTries: MAX_TRIES_OF_ACCOUNT, windowMs: WINDOW_MS },
  };
}

interface SignInDeps extends PasswordTurnDeps {
  readonly db: Database;
  /** Hears of whose account an attempt was refused that was not too much; null where it is nobody's. */
  readonly onRefused?: (accountId: string | null) => Promise<void>;
}

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The IP address that it comes from. */
  readonly address: string;
}

/** An account, and the hash of the password that was right: a session begins only while it is that. */
export interface SignedIn {
  readonly account: Account;
  readonly passwordHash: string;
}

const wrong = () => new ServiceError('unauthorized', 'The e-mail or the password is wrong.');

const disabled = () =>
  new ServiceError(
    'unauthorized',
    'This account is disabled. Ask the operator of this server to enable it again.',
  );

/** What is no e-mail is looked for too, under a text that no account has: every attempt costs the same queries. */
const rowOf = (db: Database, email: string): Promise<AccountRow | undefined> =>
  db<AccountRow>('accounts')
    .where({ email: isEmail(email) ? email : '' })
    .first();

/**
 * The account whose e-mail and password these are. Throws a ServiceError: `unauthorized` where they are not, in
 * words and after work that do not tell why, or where the account is disabled and the password right; `rateLimited`
 * after too many failures; `overloaded` where too many wait.
 */
export async function signIn(
  { db, throttle, passwordHasher, onRefused }: SignInDeps,
  { email: typed, password, address }: SignInAttempt,
): Promise<SignedIn> {
  const email = typed.trim().toLowerCase();
  const { pair, ...wider } = signInBudgets(throttle.addressSubject, email, address);
  const budgets = [pair, wider.address, wider.account];
  return withPasswordTurn({ throttle, passwordHasher }, { address, budgets }, async (taken) => {
    const row = await rowOf(db, email);
    const isRight = await passwordHasher.verify(password, row?.password_hash);
    if (row === undefined || !isRight || row.disabled_at !== null) {
      await onRefused?.(row?.id ?? null);
      throw row !== undefined && isRight ? disabled() : wrong();
    }
    await throttle.giveBack(taken);
    await throttle.forget([pair.subject]);
    return { account: accountFromRow(row), passwordHash: row.password_hash };
  });
}
