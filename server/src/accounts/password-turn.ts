import type { Budget, TakenTry } from '../throttle/throttle.js';
import type { AccountContext } from './account-context.js';

const NO_TRY: TakenTry = new Map();

/**
 * Queues work that hashes or verifies a password, and counts one try against each budget. Without budgets, as for
 * operators, nothing is counted. A caller whose budget is used up is rejected before the queue, and takes no room in it.
 * The try is only counted after the wait. So a caller whom the full queue rejects loses no try, and right passwords that
 * wait do not use up each other's budgets.
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
