import { round, type Row } from '../figures.js';
import { shareColumns } from './bottleneck.js';
import { INPUTS, microseconds } from './inputs.js';
import { seededRandom } from './random.js';
import { simulateLookups } from './simulate-lookups.js';

const LOOKUPS_A_SECOND = [1_000, 20_000, 200_000];
const SEED = 1;
const SIMULATED = 200_000;
const MAX_SERVERS = 100;
const BITS = 8;

const simulate = (lookupsPerSecond: number, servers: number) =>
  simulateLookups({
    lookupsPerSecond,
    servers,
    cpuSeconds: microseconds(INPUTS.lookupCpu),
    keys: INPUTS.keys.value,
    databaseCores: INPUTS.databaseCores.value,
    batchCpuSeconds: microseconds(INPUTS.batchCpu),
    keyCpuSeconds: microseconds(INPUTS.keyCpu),
    commitSeconds: microseconds(INPUTS.commit),
    lookups: SIMULATED,
    random: seededRandom(SEED),
  });

/**
 * The fewest servers that answer 95 % of the lookups within INPUTS.lookupTime, and whose processors are used at most
 * INPUTS.mostBusy. Throws if MAX_SERVERS are too few. The use of the database and of the network is only reported,
 * because more servers do not lower it.
 */
function planFor(perSecond: number) {
  const workSeconds = perSecond * microseconds(INPUTS.lookupCpu);
  const fewest = Math.ceil(workSeconds / INPUTS.mostBusy.value);
  for (let servers = fewest; servers <= MAX_SERVERS; servers += 1) {
    const times = simulate(perSecond, servers);
    const shares = {
      processor: workSeconds / servers,
      database: times.databaseBusy,
      network: (perSecond * INPUTS.lookupBytes.value * BITS) / INPUTS.networkBits.value,
    };
    if (times.p95Seconds <= INPUTS.lookupTime.value) return { servers, times, shares };
  }
  throw new Error(`${perSecond} lookups a second need more than ${MAX_SERVERS} servers.`);
}

/** How many servers with one core each a number of lookups per second needs, and which resource runs out first. */
export function planLookups(): Row[] {
  return LOOKUPS_A_SECOND.map((perSecond) => {
    const { servers, times, shares } = planFor(perSecond);
    return {
      'lookups/s': perSecond,
      servers,
      'mean ms': round(times.meanSeconds * 1000, 2),
      'p95 ms': round(times.p95Seconds * 1000, 2),
      'batches/s': round(times.batchesPerSecond),
      ...shareColumns(shares),
    };
  });
}
