import { HOUR_MS } from '../platform/time-units.js';
import type { Database } from '../storage/storage.js';
import type { Throttle } from '../throttle/throttle.js';
import type { Account } from './account.js';
import { createAccount, type AccountDeps } from './create-account.js';
import { withPasswordTurn } from './password-turn.js';

const WINDOW_MS = HOUR_MS;
const MAX_SIGN_UPS_OF_ADDRESS = 20;

interface SignUpDeps extends AccountDeps {
  readonly db: Database;
  readonly throttle: Throttle;
}

export interface SignUp {
  readonly email: string;
  /** May be blank. */
  readonly name: string;
  readonly password: string;
  /** The IP address of the caller. */
  readonly address: string;
}

/**
 * Creates the account of a sign-up. Throws a ServiceError `rateLimited` after too many sign-ups from one address, and
 * those of `createAccount`.
 */
export async function signUp(
  { db, throttle, ...accountDeps }: SignUpDeps,
  { email, name, password, address }: SignUp,
  alsoStore?: (transaction: Database, account: Account) => Promise<void>,
): Promise<Account> {
  const budget = {
    subject: `sign-up ${throttle.addressSubject(address)}`,
    maxTries: MAX_SIGN_UPS_OF_ADDRESS,
    windowMs: WINDOW_MS,
  };
  const wanted = { email, password, name: name.trim() === '' ? undefined : name };
  const { passwordHasher } = accountDeps;
  // Counts rejected sign-ups too, to limit how many addresses somebody can test for having an account.
  return withPasswordTurn({ throttle, passwordHasher }, { address, budgets: [budget] }, async () => {
    const { account } = await createAccount(db, accountDeps, wanted, alsoStore);
    return account;
  });
}
