import type { Budget, TakenTry } from '../throttle/throttle.js';
import type { AccountContext } from './account-context.js';

const NO_TRY: TakenTry = new Map();

/**
 * Runs work that hashes or verifies a password in its turn, and counts one try on each of the budgets; operators, whose
 * work is not counted, have none. A used-up budget is rejected before the queue, so that throttled callers take no room
 * in it. The try is only counted after the wait: a caller whom the full queue rejects loses none, and right passwords
 * that wait do not use the budgets up for each other.
 */
export async function withPasswordTurn<Result>(
  { actor, throttle, passwordHasher }: Pick<AccountContext, 'actor' | 'throttle' | 'passwordHasher'>,
  budgets: readonly Budget[],
  work: (taken: TakenTry) => Promise<Result>,
): Promise<Result> {
  const isCounted = budgets.length > 0;
  if (isCounted) await throttle.peek(budgets);
  return passwordHasher.run(throttle.addressSubject(actor.address), async () =>
    work(isCounted ? await throttle.take(budgets) : NO_TRY),
  );
}
