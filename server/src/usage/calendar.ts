/** The calendar windows that limits and statistics count in, all UTC. */

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Whole minutes since the epoch. */
export const minuteOf = (timeMs: number) => Math.floor(timeMs / minuteMs);

/** Whole days since the epoch. */
export const dayOf = (timeMs: number) => Math.floor(timeMs / dayMs);

/** Whole seconds, at least 1, until the calendar minute ends. */
export const secondsLeftInMinute = (timeMs: number) => Math.ceil((minuteMs - (timeMs % minuteMs)) / 1000);

/** Whole seconds, at least 1, until the calendar day ends. */
export const secondsLeftInDay = (timeMs: number) => Math.ceil((dayMs - (timeMs % dayMs)) / 1000);

/** A day as YYYY-MM-DD. */
export const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
