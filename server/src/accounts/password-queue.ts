import type { Budget, CountedTry } from '../throttle/throttle.js';
import type { AccountContext } from './account-context.js';

const NO_TRY: CountedTry = new Map();

/**
 * Does work that hashes or verifies a password when its turn in the queue comes, and only then counts one try against
 * each of `budgets`: a caller whom a full queue rejects loses no try, and several right passwords that wait at once do
 * not use up each other's budgets. Throws a ServiceError: `rateLimited` if a budget is used up, before or after the
 * wait; `overloaded` if too much work waits.
 */
export async function queuePasswordWork<Result>(
  { actor, throttle, passwordHasher }: Pick<AccountContext, 'actor' | 'throttle' | 'passwordHasher'>,
  budgets: readonly Budget[],
  work: (countedTry: CountedTry) => Promise<Result>,
): Promise<Result> {
  const isCounted = budgets.length > 0;
  if (isCounted) await throttle.peek(budgets);
  return passwordHasher.run(throttle.addressSubject(actor.address), async () =>
    work(isCounted ? await throttle.take(budgets) : NO_TRY),
  );
}
