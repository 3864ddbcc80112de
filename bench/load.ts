import { measureByAutocannon } from './autocannon.js';
import type { Load, LoadFigures } from './load-figures.js';
import { hasWrk, measureByWrk } from './wrk.js';

export const CONNECTIONS = 32;

const isWrkThere = await hasWrk();

/** The program that sends loads without a rate: wrk if it is installed, or else autocannon. */
export const loadGenerator = isWrkThere ? 'wrk' : 'autocannon';

/**
 * Sends a load over `connections` connections for some seconds. Fails if a connection fails or a response has status
 * 400 or higher. A load with a rate is sent by autocannon, because wrk always sends as much as it can.
 */
export const measureLoad = (load: Load, connections: number, seconds: number): Promise<LoadFigures> =>
  isWrkThere && load.ratePerSecond === undefined
    ? measureByWrk(load, connections, seconds)
    : measureByAutocannon(load, connections, seconds);
