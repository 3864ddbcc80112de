import { percentile } from './figures.js';
import type { Load, LoadFigures } from './load-figures.js';
import { CONNECTIONS, measureLoad } from './load.js';

const WARM_UP_SECONDS = 2;
const LEAST_TURNS = 2;

/** The median of each figure, because a few turns on a busy machine hardly change it. */
const median = (figures: readonly LoadFigures[]): LoadFigures => {
  const medianOf = (name: keyof LoadFigures) =>
    percentile(
      figures.map((one) => one[name]),
      0.5,
    );
  return { perSecond: medianOf('perSecond'), p50Ms: medianOf('p50Ms'), p99Ms: medianOf('p99Ms') };
};

/** Sends each load for `seconds` seconds in total, in turns, after a warm-up. Returns the median figures of each. */
export async function takeTurns(
  loads: readonly Load[],
  seconds: number,
  connections = CONNECTIONS,
  measure = measureLoad,
): Promise<LoadFigures[]> {
  for (const load of loads) await measure(load, connections, WARM_UP_SECONDS);
  const turns: LoadFigures[][] = loads.map(() => []);
  // Short turns, so that other work on the machine does not slow only some loads.
  const count = Math.max(LEAST_TURNS, Math.round(seconds));
  for (let turn = 0; turn < count; turn += 1) {
    for (const [index, load] of loads.entries()) {
      turns[index]?.push(await measure(load, connections, seconds / count));
    }
  }
  return turns.map(median);
}
