/** Returns the next number from 0 (inclusive) to 1 (exclusive). `seededRandom` uses mulberry32. */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A random number with an exponential distribution of this mean, such as the time between two events of a Poisson
 * process.
 */
export const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random());

/** Picks one of the values, each with the same probability. */
export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('There is nothing to pick from.');
  return value;
}
