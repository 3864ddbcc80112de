/** Milliseconds since the Unix epoch, from whatever tells the time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Milliseconds since the process began; no change of the machine's clock moves it. */
export const systemMonotonicMs = (): number => performance.now();
