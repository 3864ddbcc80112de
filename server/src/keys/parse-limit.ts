import { ServiceError } from '../service-error.js';
import { MAX_LIMIT, type Limit } from './limit.js';

/** Reads a limit as people write it; throws a ServiceError that says what it may be. */
export function parseLimit(text: string): Limit {
  const word = text.trim().toLowerCase();
  if (word === 'unlimited' || word === 'default') return word;
  const limit = /^\d{1,10}$/u.test(word) ? Number(word) : Infinity;
  if (limit <= MAX_LIMIT) return limit;
  throw new ServiceError(
    'invalidRequest',
    `It must be a whole number from 0 to ${MAX_LIMIT}, "unlimited", or "default".`,
  );
}
