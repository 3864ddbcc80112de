/** Pseudo-random numbers, always the same for the same seed. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number;
  /** True with this probability. */
  chance(percent: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
}

/** The mulberry32 generator: fast, and good enough to choose among malformations. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (percent) => next() * 100 < percent,
    pick: (values) => {
      const [value] = values.slice(below(values.length));
      if (value === undefined) throw new Error('There is nothing to pick from.');
      return value;
    },
  };
}
