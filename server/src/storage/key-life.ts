/** In SQL: a key is neither revoked nor past its end. `now` is a column, or a value to be bound. */
export const keyIsLive = (key: string, now = '?'): string =>
  `${key}.revoked_at IS NULL AND (${key}.ends_at IS NULL OR ${key}.ends_at > ${now})`;

/** In SQL: when a key was over for good, the largest number where it is not; in these words an index has it. */
export const keyOverAt = (key: string): string =>
  `COALESCE(${key}.revoked_at, ${key}.ends_at, 9223372036854775807)`;

/** In SQL: a key is live and not disabled. */
export const keyWorks = (key: string, now = '?'): string =>
  `${keyIsLive(key, now)} AND ${key}.disabled_at IS NULL`;
