import { InvalidArgumentError } from 'commander';
import { MAX_LIMIT, type Limit } from '../keys/limit.js';

/** Reads a limit off the command line. */
export function limitArgument(text: string): Limit {
  if (text === 'unlimited' || text === 'default') return text;
  const limit = /^\d{1,10}$/u.test(text) ? Number(text) : Infinity;
  if (limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(
    `It must be a whole number from 0 to ${MAX_LIMIT}, "unlimited", or "default".`,
  );
}
