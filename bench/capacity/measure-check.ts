import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { CASES } from '../capture-cases.js';
import { throughSignpost } from '../capture-ways.js';
import { percentile, round, type Row } from '../figures.js';
import type { BenchOptions } from '../options.js';
import { showProgress } from '../progress.js';
import { startSignpost } from '../signpost-process.js';
import { exponential, pick, seededRandom } from './random.js';
import { simulateCaptures } from './simulate-captures.js';

const MEASURED = 'small png';
/**
 * How many captures arrive per second, as shares of the rate that is reached if there is always one capture for each
 * core.
 */
const LOADS = [0.3, 0.6, 0.8];
const SEED = 1;
const SIMULATED = 20_000;
/** A run with random arrivals takes this many times `seconds`. */
const LONGER = 4;

/**
 * Takes captures at random times on this machine, and compares the times with those of the simulation for the same
 * load.
 */
export async function measureCheck(pagesUrl: string, { seconds }: BenchOptions): Promise<Row[]> {
  const slots = availableParallelism();
  const [captureCase] = CASES.filter(({ name }) => name === MEASURED);
  if (captureCase === undefined) throw new Error(`There is no case "${MEASURED}".`);
  const signpost = await startSignpost({ variables: { SIGNPOST_CAPTURE_QUEUE: '1000' } });
  const capture = throughSignpost(signpost);
  const timed = async () => {
    const began = performance.now();
    await capture(`${pagesUrl}/${captureCase.page}`, captureCase);
    return (performance.now() - began) / 1000;
  };

  showProgress('capacity: captures, one at a time for each core');
  await timed();
  const began = performance.now();
  const full: number[] = [];
  const worker = async () => {
    while (performance.now() - began < seconds * 1000) full.push(await timed());
  };
  await Promise.all(Array.from({ length: slots }, worker));
  const most = full.length / ((performance.now() - began) / 1000);

  const rows: Row[] = [];
  for (const load of LOADS) {
    showProgress(`capacity: captures at random times, ${load} of that rate`);
    const random = seededRandom(SEED);
    const capturesPerSecond = load * most;
    const answers: Promise<number>[] = [];
    for (let now = 0; now < LONGER * seconds;) {
      const gap = exponential(random, 1 / capturesPerSecond);
      now += gap;
      await pause(gap * 1000);
      answers.push(timed());
    }
    const times = await Promise.all(answers);
    const simulated = simulateCaptures({
      capturesPerSecond,
      slots,
      machines: 1,
      captures: SIMULATED,
      secondsOf: (own) => pick(own, full),
      random: seededRandom(SEED),
    });
    rows.push({
      'of the most': load,
      'captures/s': round(capturesPerSecond, 2),
      captures: times.length,
      'p50 ms': round(percentile(times, 0.5) * 1000),
      'simulated p50 ms': round(simulated.p50Seconds * 1000),
      'p95 ms': round(percentile(times, 0.95) * 1000),
      'simulated p95 ms': round(simulated.p95Seconds * 1000),
    });
  }
  await signpost.end();
  return rows;
}
