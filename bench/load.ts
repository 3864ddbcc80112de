import autocannon from 'autocannon';
import { percentile } from './figures.js';
import type { Load, LoadFigures } from './load-figures.js';
import { hasWrk, measureByWrk } from './wrk.js';

export const CONNECTIONS = 32;

/** Sends a load by autocannon, which comes from npm. */
function measureByAutocannon({ url, method, headers, body }: Load, seconds: number): Promise<LoadFigures> {
  return new Promise((resolve, reject) => {
    const timesMs: number[] = [];
    const options = {
      url,
      method,
      headers,
      connections: CONNECTIONS,
      duration: seconds,
      ...(body === undefined ? {} : { body }),
    };
    const run = autocannon(options, (error: Error | null, result) => {
      const failures = result.non2xx + result.errors + result.timeouts;
      if (error !== null) reject(error);
      else if (failures > 0) reject(new Error(`${failures} answers of ${url} were no success.`));
      else {
        resolve({
          perSecond: timesMs.length / result.duration,
          p50Ms: percentile(timesMs, 0.5),
          p99Ms: percentile(timesMs, 0.99),
        });
      }
    });
    // The summary's latencies are whole milliseconds; these are not.
    run.on('response', (_client, _status, _bytes, responseTimeMs) => timesMs.push(responseTimeMs));
  });
}

const isWrkThere = await hasWrk();

/** The program that sends the load: wrk where it is installed, else autocannon. */
export const loadGenerator = isWrkThere ? 'wrk, one thread' : 'autocannon';

/** Sends a load over 32 connections for some seconds; fails where an answer is not a 2xx. */
export const measureLoad = (load: Load, seconds: number): Promise<LoadFigures> =>
  isWrkThere ? measureByWrk(load, CONNECTIONS, seconds) : measureByAutocannon(load, seconds);
