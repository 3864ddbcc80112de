import { createHash } from 'node:crypto';
import type { Budget, Throttle } from '../throttle/throttle.js';

const windowMs = 15 * 60_000;
const TRIES_OF_PAIR = 10;
const TRIES_OF_ADDRESS = 50;
const TRIES_OF_ACCOUNT = 100;

export interface SignInBudgets {
  /** Of one account from one address: the one that a mistyping owner meets. */
  readonly pair: Budget;
  /** Of one address over all accounts, so that it cannot try a common password on each. */
  readonly address: Budget;
  /** Of one account from all addresses: wide, so that a stranger does not easily lock its owner out. */
  readonly account: Budget;
}

/** The budgets of failed sign-ins. What was typed as an e-mail is hashed: it may be long, or a password. */
export function signInBudgets(
  addressSubject: Throttle['addressSubject'],
  email: string,
  ip: string,
): SignInBudgets {
  const address = addressSubject(ip);
  const account = createHash('sha256').update(email).digest('base64url');
  return {
    pair: { subject: `sign-in pair ${account} ${address}`, maxTries: TRIES_OF_PAIR, windowMs },
    address: { subject: `sign-in address ${address}`, maxTries: TRIES_OF_ADDRESS, windowMs },
    account: { subject: `sign-in account ${account}`, maxTries: TRIES_OF_ACCOUNT, windowMs },
  };
}
