import { ServiceError } from './errors.js';

/** The most that a limit can allow. */
export const MAX_LIMIT = 1_000_000_000;

/** The fewest captures at the same time: with none an account would wait for ever. */
export const MIN_CAPTURES = 1;

/** A limit as it was set: so many, none, or whatever the server's default is. */
export type Limit = number | 'unlimited' | 'default';

const UNLIMITED = -1;

export const limitToColumn = (limit: Limit): number | null =>
  limit === 'default' ? null : limit === 'unlimited' ? UNLIMITED : limit;

export const limitFromColumn = (column: number | null): Limit =>
  column === null ? 'default' : column === UNLIMITED ? 'unlimited' : column;

/** Reads a limit as people write it; throws a ServiceError that says what it may be. */
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
