import { captureLink, operations } from '@signpost/contract';
import { serveCapturePages } from './capture-pages.js';
import { withCpuTime } from './cpu-time.js';
import { NOT_ASKED, ratio, round, type Row } from './figures.js';
import { CONNECTIONS } from './load.js';
import type { Load } from './load-figures.js';
import { lookupLoads } from './lookups.js';
import type { BenchOptions } from './options.js';
import type { SignpostProcess } from './signpost-process.js';
import { takeTurns } from './turns.js';

const MANY = 20;
const BYTES_PER_KB = 1_000;

/** Makes a link to a picture of a page, and opens it, which makes the picture. Returns its path and size. */
async function makeLink({ url, apiKey }: SignpostProcess, page: string) {
  const made = await fetch(url + operations.createCaptureLink.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': apiKey },
    body: JSON.stringify({ operation: 'captureScreenshot', request: { url: page }, refreshSeconds: 86_400 }),
  });
  const link = captureLink.parse(await made.json());
  const path = new URL(link.url).pathname;
  const opened = await fetch(url + path);
  if (!opened.ok) throw new Error(`A link returned ${opened.status}: ${await opened.text()}`);
  return { path, bytes: (await opened.arrayBuffer()).byteLength };
}

/** Links whose captures are made already, opened over and over, beside lookups of postcodes in the same turns. */
export async function benchLinks(signpost: SignpostProcess, { seconds }: BenchOptions): Promise<Row[]> {
  const pages = await serveCapturePages();
  const links: Awaited<ReturnType<typeof makeLink>>[] = [];
  while (links.length < MANY) links.push(await makeLink(signpost, `${pages.url}/small`));
  await pages.end();
  const [first] = links;
  const lookup = (await lookupLoads(signpost)).find(({ name }) => name === 'lookup')?.load;
  if (first === undefined || lookup === undefined) return [];
  const opening = (paths: readonly string[]): Load => ({
    ...{ url: signpost.url, method: 'GET', headers: {} },
    requests: paths.map((path) => ({ path })),
  });
  const loads = new Map([
    ['one link', opening([first.path])],
    [`${MANY} links in turn`, opening(links.map(({ path }) => path))],
    ['lookup', lookup],
  ]);
  const cpu = withCpuTime(new Map([...loads.values()].map((load) => [load, [signpost.pid]])));
  const figures = await takeTurns([...loads.values()], seconds, CONNECTIONS, cpu.measure);
  const lookupsPerSecond = figures.at(-1)?.perSecond;
  return [...loads].flatMap(([what, load], index) => {
    const own = figures[index];
    if (own === undefined) return [];
    return {
      opened: what,
      connections: CONNECTIONS,
      KB: load === lookup ? NOT_ASKED : round(first.bytes / BYTES_PER_KB, 1),
      'requests/s': round(own.perSecond),
      'p50 ms': round(own.p50Ms, 2),
      'p99 ms': round(own.p99Ms, 2),
      'CPU µs each': round(cpu.microsecondsEach(load)),
      'of a lookup': ratio(own.perSecond, lookupsPerSecond),
    };
  });
}
