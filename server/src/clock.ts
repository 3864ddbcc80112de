/** Milliseconds since the Unix epoch, from whatever tells the time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
