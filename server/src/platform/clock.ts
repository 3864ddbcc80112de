/** Returns milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Milliseconds since a fixed moment in the past. Changes to the machine's clock do not affect it. */
export const systemMonotonicMs = (): number => performance.now();
