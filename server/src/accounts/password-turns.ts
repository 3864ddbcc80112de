import { ServiceError } from '../platform/errors.js';

/** Each takes a thread of the pool that files and names need too, and 19 MiB. */
const AT_ONCE = 2;
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

const waiting: (() => void)[] = [];
let running = 0;

const enter = () =>
  new Promise<void>((resolve) => {
    if (running < AT_ONCE) {
      running += 1;
      resolve();
    } else waiting.push(resolve);
  });

const leave = () => {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
};

/**
 * Does work that hashes a password when it is its turn, so that a flood of sign-ins does not take all threads of the
 * process. Throws a ServiceError `overloaded` where too many wait.
 */
export async function inPasswordTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= MAX_WAITING) {
    throw new ServiceError('overloaded', 'Too many people are signing in. Try again in a few seconds.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  await enter();
  try {
    return await work();
  } finally {
    leave();
  }
}
