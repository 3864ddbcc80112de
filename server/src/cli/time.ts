/** A time in ISO 8601, UTC; null where there is none. */
export const isoTime = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

/** A time for people, to the second, UTC; a dash where there is none. */
export const shownTime = (timeMs: number | null): string =>
  timeMs === null ? '-' : `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;
