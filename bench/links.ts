import { captureLink, operations } from '@signpost/contract';
import { serveCapturePages } from './capture-pages.js';
import { withCpuTime } from './cpu-time.js';
import { NOT_MEASURED, ratio, round, type Row } from './figures.js';
import { CONNECTIONS } from './load.js';
import type { Load } from './load-figures.js';
import { lookupLoads } from './lookups.js';
import { startFloor } from './floor.js';
import type { BenchOptions } from './options.js';
import type { SignpostProcess } from './signpost-process.js';
import { takeTurns } from './turns.js';

const MANY = 20;
const BYTES_PER_KB = 1_000;

/** The window for a small picture, such as one in an e-mail or in a cell of a spreadsheet. */
const SMALL = { width: 320, height: 200 };

/**
 * Makes a link to a screenshot of a page, and opens the link, which takes the screenshot. Returns the link's path and
 * the picture. Throws if either fails.
 */
async function makeLink({ url, apiKey }: SignpostProcess, page: string, window: Partial<typeof SMALL> = {}) {
  const made = await fetch(url + operations.createCaptureLink.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': apiKey },
    body: JSON.stringify({
      operation: 'captureScreenshot',
      request: { url: page, ...window },
      refreshSeconds: 86_400,
    }),
  });
  const link = captureLink.parse(await made.json());
  const path = new URL(link.url).pathname;
  const opened = await fetch(url + path);
  if (!opened.ok) throw new Error(`A link returned ${opened.status}: ${await opened.text()}`);
  return { path, picture: Buffer.from(await opened.arrayBuffer()) };
}

interface OpenedLoad {
  readonly load: Load;
  /** The size of each response's body; unset for lookups. */
  readonly bytes?: number;
}

/**
 * Opens links whose captures are already made, over and over, in turns with lookups of postcodes and with a bare server
 * that sends the same picture.
 */
export async function benchLinks(signpost: SignpostProcess, { seconds }: BenchOptions): Promise<Row[]> {
  const pages = await serveCapturePages();
  const page = `${pages.url}/small`;
  const small = await makeLink(signpost, page, SMALL);
  const first = await makeLink(signpost, page);
  const others: string[] = [];
  while (others.length < MANY - 1) others.push((await makeLink(signpost, page)).path);
  await pages.end();
  const lookup = (await lookupLoads(signpost)).find(({ name }) => name === 'lookup')?.load;
  if (lookup === undefined) return [];
  const floor = await startFloor(signpost.dataDir, first.picture);
  const opening = (paths: readonly string[], url = signpost.url): Load => ({
    url,
    method: 'GET',
    headers: {},
    requests: paths.map((path) => ({ path })),
  });
  const loads = new Map<string, OpenedLoad>([
    ['a small picture', { load: opening([small.path]), bytes: small.picture.length }],
    ['one link', { load: opening([first.path]), bytes: first.picture.length }],
    [`${MANY} links in turn`, { load: opening([first.path, ...others]), bytes: first.picture.length }],
    ['same picture, bare server', { load: opening(['/'], floor.url), bytes: first.picture.length }],
    ['lookup', { load: lookup }],
  ]);
  const all = [...loads.values()].map(({ load }) => load);
  const pidOf = ({ url }: Load) => (url === floor.url ? floor.pid : signpost.pid);
  const cpu = withCpuTime(new Map(all.map((load) => [load, [pidOf(load)]])));
  const figures = await takeTurns(all, seconds, CONNECTIONS, cpu.measure);
  floor.end();
  const lookupsPerSecond = figures.at(-1)?.perSecond;
  return [...loads].flatMap(([what, { load, bytes }], index) => {
    const own = figures[index];
    if (own === undefined) return [];
    return {
      opened: what,
      connections: CONNECTIONS,
      KB: bytes === undefined ? NOT_MEASURED : round(bytes / BYTES_PER_KB, 1),
      'requests/s': round(own.perSecond),
      'p50 ms': round(own.p50Ms, 2),
      'p99 ms': round(own.p99Ms, 2),
      'CPU µs each': round(cpu.microsecondsEach(load)),
      'of a lookup': ratio(own.perSecond, lookupsPerSecond),
    };
  });
}
