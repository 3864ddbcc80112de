import { withCpuTime } from './cpu-time.js';
import { NOT_MEASURED, peerFigures, ratio, round, type Row } from './figures.js';
import { startFloor } from './floor.js';
import { type Case, casesAbout } from './lookup-cases.js';
import type { Load } from './load-figures.js';
import { CONNECTIONS } from './load.js';
import type { BenchOptions } from './options.js';
import type { SignpostProcess } from './signpost-process.js';
import { postcodesAllOver } from './postcodes-all-over.js';
import { takeTurns } from './turns.js';

/** At most this many different places are looked up, one after the other. The sample has fewer. */
const PLACES = 2_000;

const headersOf = ({ apiKey }: SignpostProcess) => ({
  'Content-Type': 'application/json',
  'X-Api-Key': apiKey,
});

async function answerTo(signpost: SignpostProcess, path: string, body: object | undefined): Promise<string> {
  const init = { method: 'POST', headers: headersOf(signpost), body: JSON.stringify(body) };
  const response = await fetch(signpost.url + path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

const loadOf = (signpost: SignpostProcess, path: string, bodies: readonly object[]): Load => ({
  url: signpost.url,
  method: 'POST',
  headers: headersOf(signpost),
  requests: bodies.map((body) => ({ path, body: JSON.stringify(body) })),
});

/** The lookups to measure, with places from all over the server's directory, as loads for the server. */
export async function lookupLoads(signpost: SignpostProcess): Promise<readonly (Case & { load: Load })[]> {
  const known = await postcodesAllOver(signpost.dataDir, PLACES);
  return casesAbout(known).map((one) => ({ ...one, load: loadOf(signpost, one.path, one.bodies) }));
}

function peerLoad(url: string | undefined, { postcodesIo }: Case): Load | undefined {
  if (url === undefined || postcodesIo === undefined) return undefined;
  const requests = postcodesIo.map(({ path, body }) => ({
    path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }));
  const method = postcodesIo.some(({ body }) => body !== undefined) ? 'POST' : 'GET';
  return { url, method, headers: { 'Content-Type': 'application/json' }, requests };
}

async function measure(
  signpost: SignpostProcess,
  one: Case & { load: Load },
  { seconds, postcodesIo }: BenchOptions,
): Promise<Row[]> {
  const { name, path, bodies, load, plain } = one;
  const floors = [
    await startFloor(signpost.dataDir, await answerTo(signpost, path, bodies[0])),
    await startFloor(signpost.dataDir, ''),
  ];
  const plainLoad = plain === undefined ? undefined : loadOf(signpost, path, plain);
  const peer = peerLoad(postcodesIo, one);
  const loads = [load, ...floors.map(({ url }) => ({ ...load, url })), plainLoad, peer].filter(
    (each) => each !== undefined,
  );
  const cpu = withCpuTime(new Map([[load, [signpost.pid]]]));
  const figures = await takeTurns(loads, seconds, CONNECTIONS, cpu.measure);
  for (const floor of floors) floor.end();
  const figuresOf = (each: Load | undefined) =>
    each === undefined ? undefined : figures[loads.indexOf(each)];
  const [ours, bare, withDirectory] = figures;
  if (ours === undefined || bare === undefined || withDirectory === undefined) return [];
  const beside = figuresOf(plainLoad);
  return [
    {
      operation: name,
      connections: CONNECTIONS,
      'requests/s': round(ours.perSecond),
      'p50 ms': round(ours.p50Ms, 2),
      'p99 ms': round(ours.p99Ms, 2),
      'CPU µs each': round(cpu.microsecondsEach(load)),
      'same bytes/s': round(bare.perSecond),
      'of same bytes': ratio(ours.perSecond, bare.perSecond),
      'bare lookup/s': round(withDirectory.perSecond),
      'of bare lookup': ratio(ours.perSecond, withDirectory.perSecond),
      'of plain lookup': beside === undefined ? NOT_MEASURED : ratio(ours.perSecond, beside.perSecond),
      ...(postcodesIo === undefined ? {} : peerFigures(ours, figuresOf(peer))),
    },
  ];
}

/**
 * Lookups on the real server compared with two bare servers: one always sends the bytes of one response, the other does
 * the same lookups without keys, limits, counting or validation. Also compared with postcodes.io if its address is
 * given.
 */
export async function benchLookups(signpost: SignpostProcess, options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const one of await lookupLoads(signpost)) rows.push(...(await measure(signpost, one, options)));
  return rows;
}
