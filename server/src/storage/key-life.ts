/**
 * SQL condition: a key is neither revoked nor past its end. `now` is a column, or a placeholder for a value.
 */
export const keyIsLive = (key: string, now = '?'): string =>
  `${key}.revoked_at IS NULL AND (${key}.ends_at IS NULL OR ${key}.ends_at > ${now})`;

/**
 * SQL expression: when a key was revoked, or else when it ends for good; the largest number if it has no end. An index
 * uses the same expression, so it must be written exactly like this.
 */
export const keyRevokedOrEndsAt = (key: string): string =>
  `COALESCE(${key}.revoked_at, ${key}.ends_at, 9223372036854775807)`;

/** SQL condition: a key is live and not disabled. */
export const keyWorks = (key: string, now = '?'): string =>
  `${keyIsLive(key, now)} AND ${key}.disabled_at IS NULL`;
