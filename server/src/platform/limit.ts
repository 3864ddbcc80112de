import { ServiceError } from './errors.js';

/** The highest limit that can be set. */
export const MAX_LIMIT = 1_000_000_000;

/** The lowest limit for the simultaneous captures of an account. With 0, its captures would wait forever. */
export const MIN_CAPTURES = 1;

/** A limit as it was set: a number, unlimited, or the default of the server. */
export type Limit = number | 'unlimited' | 'default';

const UNLIMITED = -1;

export const limitToColumn = (limit: Limit): number | null =>
  limit === 'default' ? null : limit === 'unlimited' ? UNLIMITED : limit;

export const limitFromColumn = (column: number | null): Limit =>
  column === null ? 'default' : column === UNLIMITED ? 'unlimited' : column;

/**
 * Parses a limit: a whole number from `min` to MAX_LIMIT, "unlimited" or "default". Throws a ServiceError for any other
 * text.
 */
export function parseLimit(text: string, min = 0): Limit {
  const word = text.trim().toLowerCase();
  if (word === 'unlimited' || word === 'default') return word;
  const limit = /^\d{1,10}$/u.test(word) ? Number(word) : Infinity;
  if (limit >= min && limit <= MAX_LIMIT) return limit;
  throw new ServiceError(
    'invalidRequest',
    `It must be a whole number from ${min} to ${MAX_LIMIT}, "unlimited", or "default".`,
  );
}
