import { round, type Row } from '../figures.js';
import { isBelow, shareColumns, type Shares } from './bottleneck.js';
import { INPUTS, microseconds } from './inputs.js';
import { exponential, type Random, seededRandom } from './random.js';
import { simulateCaptures } from './simulate-captures.js';

const CAPTURES_AN_HOUR = [10, 1_000, 100_000];
const HOUR_SECONDS = 3_600;
const SEED = 1;
/** The number of simulated captures. */
const SIMULATED = 20_000;
const MAX_MACHINES = 1_000;
const BITS = 8;

/** How fast pages load, and how many capture slots a machine has per core. */
interface Setup {
  readonly pages: string;
  readonly pageSeconds: number;
  readonly slotsPerCore: number;
}

const SETUPS: readonly Setup[] = [
  { pages: 'arrive at once', pageSeconds: 0, slotsPerCore: 1 },
  { pages: 'take their time', pageSeconds: INPUTS.pageSeconds.value, slotsPerCore: 1 },
  { pages: 'take their time', pageSeconds: INPUTS.pageSeconds.value, slotsPerCore: 3 },
];

const cores = INPUTS.machineCores.value;
const cpuSeconds = INPUTS.captureCpu.value / 1000;

/**
 * Returns a function that draws the random duration of a capture. With several slots per core, captures share the core,
 * so each takes longer when the cores are busy.
 */
function secondsOf({ pageSeconds, slotsPerCore }: Setup, coresBusy: number) {
  const slowdown = Math.max(1, Math.min(slotsPerCore, 1 / (1 - coresBusy)));
  return (random: Random) => exponential(random, cpuSeconds) * slowdown + exponential(random, pageSeconds);
}

function sharesOf(perSecond: number, machines: number, { pageSeconds, slotsPerCore }: Setup): Shares {
  const each = perSecond / machines;
  const { idleMegabytes, captureMegabytes, machineMegabytes, networkBits, pageBytes } = INPUTS;
  const slots = slotsPerCore * cores;
  return {
    processor: (each * cpuSeconds) / cores,
    slots: (each * (cpuSeconds + pageSeconds)) / slots,
    memory: (idleMegabytes.value + slots * captureMegabytes.value) / machineMegabytes.value,
    network: (each * pageBytes.value * BITS) / networkBits.value,
    // Each capture costs the database one batch with one key.
    database:
      (perSecond * (microseconds(INPUTS.batchCpu) + microseconds(INPUTS.keyCpu))) /
      INPUTS.databaseCores.value,
  };
}

/**
 * The fewest machines with which 95 % of the captures wait at most INPUTS.captureWait, and no resource is used more
 * than INPUTS.mostBusy. Throws if MAX_MACHINES are too few.
 */
function planFor(perSecond: number, setup: Setup) {
  for (let machines = 1; machines <= MAX_MACHINES; machines += 1) {
    const shares = sharesOf(perSecond, machines, setup);
    if (!isBelow(shares, INPUTS.mostBusy.value)) continue;
    const times = simulateCaptures({
      capturesPerSecond: perSecond,
      machines,
      slots: setup.slotsPerCore * cores,
      secondsOf: secondsOf(setup, shares['processor'] ?? 0),
      captures: SIMULATED,
      random: seededRandom(SEED),
    });
    if (times.p95WaitSeconds <= INPUTS.captureWait.value) return { machines, times, shares };
  }
  throw new Error(`${perSecond} captures a second need more than ${MAX_MACHINES} machines.`);
}

/** How many machines a number of captures per hour needs, and which resource runs out first. */
export function planCaptures(): Row[] {
  return CAPTURES_AN_HOUR.flatMap((captures) =>
    SETUPS.map((setup) => {
      const { machines, times, shares } = planFor(captures / HOUR_SECONDS, setup);
      return {
        'captures/h': captures,
        pages: setup.pages,
        machines,
        'slots each': setup.slotsPerCore * cores,
        'p95 wait s': round(times.p95WaitSeconds, 2),
        'p95 time s': round(times.p95Seconds, 2),
        ...shareColumns(shares),
      };
    }),
  );
}
