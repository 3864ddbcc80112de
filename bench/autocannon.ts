import autocannon from 'autocannon';
import { percentile } from './figures.js';
import { addressesOf, type Load, type LoadFigures } from './load-figures.js';

/**
 * Returns a function that adds the next key to a request. All connections share this function, because a list of
 * requests for each connection would fill memory.
 */
function withKeysInTurn(keys: readonly string[]) {
  let sent = 0;
  return (request: autocannon.Request): autocannon.Request => {
    const key = keys[sent % keys.length] ?? '';
    sent += 1;
    return { ...request, headers: { ...request.headers, 'X-Api-Key': key } };
  };
}

/**
 * Sends a load to one server. Returns the times of all responses in ms, and the duration of the run. Throws if a
 * response is not 2xx or is missing.
 */
async function timesFrom(
  url: string,
  keys: readonly string[] | undefined,
  { method, headers, body, requests, ratePerSecond }: Load,
  connections: number,
  length: { readonly seconds: number } | { readonly amount: number },
): Promise<{ timesMs: number[]; durationSeconds: number }> {
  const timesMs: number[] = [];
  const options = {
    url,
    method,
    headers,
    connections,
    ...('seconds' in length ? { duration: length.seconds } : { amount: length.amount }),
    ...(body === undefined ? {} : { body }),
    ...(ratePerSecond === undefined ? {} : { overallRate: ratePerSecond }),
    ...(requests === undefined
      ? {}
      : { requests: requests.map((request) => ({ method, headers, ...request })) }),
    ...(keys === undefined ? {} : { requests: [{ setupRequest: withKeysInTurn(keys) }] }),
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error: Error | null, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
    // The summary has latencies only in whole milliseconds. The times of this event are more precise.
    run.on('response', (_client, _status, _bytes, responseTimeMs) => timesMs.push(responseTimeMs));
  });
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0) throw new Error(`${failures} answers of ${url} were no success.`);
  return { timesMs, durationSeconds: result.duration };
}

/** Sends a load to all its servers at once, with the npm package autocannon. */
export async function measureByAutocannon(
  load: Load,
  connections: number,
  seconds: number,
): Promise<LoadFigures> {
  const addresses = addressesOf(load);
  const share = Math.floor(connections / addresses.length);
  const answers = await Promise.all(
    addresses.map((url, at) => timesFrom(url, load.keys?.[at], load, share, { seconds })),
  );
  const timesMs = answers.flatMap((one) => one.timesMs);
  return {
    perSecond: answers.reduce((sum, one) => sum + one.timesMs.length / one.durationSeconds, 0),
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
  };
}

/** Sends exactly `amount` requests to the first server of a load. */
export async function measurePass(load: Load, connections: number, amount: number): Promise<LoadFigures> {
  const { timesMs, durationSeconds } = await timesFrom(load.url, load.keys?.[0], load, connections, {
    amount,
  });
  return {
    perSecond: timesMs.length / durationSeconds,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
  };
}
