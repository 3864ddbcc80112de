import type { Budget, TakenTry, Throttle } from '../throttle/throttle.js';
import type { PasswordHasher } from './password.js';

const THIS_MACHINE = 'this machine';
const NO_TRY: TakenTry = new Map();

export interface PasswordTurnDeps {
  readonly throttle: Throttle;
  readonly passwordHasher: PasswordHasher;
}

interface PasswordTurn {
  /** The IP address of the caller, null for commands. */
  readonly address: string | null;
  /** Undefined for operators, whose work is not counted. */
  readonly budgets?: readonly Budget[];
}

/**
 * Runs work that hashes or verifies a password in its turn, and counts one try on each of the budgets. A used-up budget
 * is rejected before the queue, so that throttled callers take no room in it. The try is only counted after the wait: a
 * caller whom the full queue rejects loses none, and right passwords that wait do not use the budgets up for each other.
 */
export async function withPasswordTurn<Result>(
  { throttle, passwordHasher }: PasswordTurnDeps,
  { address, budgets = [] }: PasswordTurn,
  work: (taken: TakenTry) => Promise<Result>,
): Promise<Result> {
  const isCounted = budgets.length > 0;
  if (isCounted) await throttle.peek(budgets);
  const subject = address === null ? THIS_MACHINE : throttle.addressSubject(address);
  return passwordHasher.run(subject, async () => work(isCounted ? await throttle.take(budgets) : NO_TRY));
}
