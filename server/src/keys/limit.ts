/** The most requests per window that a limit can allow. */
export const MAX_LIMIT = 1_000_000_000;

/** A limit of a key as it was set: requests per window, none, or whatever the server's default is. */
export type Limit = number | 'unlimited' | 'default';

const unlimited = -1;

export const limitToColumn = (limit: Limit): number | null =>
  limit === 'default' ? null : limit === 'unlimited' ? unlimited : limit;

export const limitFromColumn = (column: number | null): Limit =>
  column === null ? 'default' : column === unlimited ? 'unlimited' : column;
