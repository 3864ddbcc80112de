import { createKeyOf } from '../fixtures/captures-of-accounts.js';
import { floodingPages } from '../fixtures/capture/hostile-pages.js';
import { SITE_ADDRESS, startPageServer, type PageServer } from '../fixtures/capture/page-server.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { recordFault } from './support/fault-table.js';
import { metricOf } from './support/metric.js';
import { median } from './support/process-figures.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const NEIGHBOURS = 10;
/**
 * How many times as long neighbours may wait beside a flooding page as beside an idle page in the same slot. A flooding
 * page also uses a core, and may crash the browser with its memory. If each of its messages reached the server,
 * neighbours would wait hundreds of times as long.
 */
const MAX_TIMES_AS_LONG = 30;
/** Occupies its slot until the caller disconnects. */
const IDLE = '/idle';

let site: PageServer;
let server: SignpostServer;
let keys: string[];

beforeAll(async () => {
  site = await startPageServer({
    ...floodingPages(),
    [IDLE]: () => undefined,
    '/plain': '<!doctype html><p>Words.',
  });
  server = await startSignpost({
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: SITE_ADDRESS,
    SIGNPOST_CAPTURE_CONCURRENCY: '2',
    SIGNPOST_CAPTURE_QUEUE: '40',
    SIGNPOST_CAPTURE_TIMEOUT_MS: '600000',
  });
  keys = [];
  while (keys.length < NEIGHBOURS)
    keys.push(await createKeyOf(server, `neighbour-${keys.length}@example.org`));
});
afterAll(async () => {
  await server.remove();
  await site.close();
});

const capture = (path: string, key: string, signal?: AbortSignal) =>
  fetch(`${server.url}/api/screenshot`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
    body: JSON.stringify({ url: site.url(path), width: 200, height: 100 }),
    ...(signal === undefined ? {} : { signal }),
  });

/** Starts to capture a page, and again whenever its capture ends. Returns a function that stops this. */
async function keepUnderWay(path: string): Promise<() => Promise<void>> {
  const leaving = new AbortController();
  const again = async () => {
    while (!leaving.signal.aborted) await capture(path, server.apiKey, leaving.signal).catch(() => undefined);
  };
  const going = again();
  const isActive = async (count: number) => (await metricOf(server, 'signpost_captures_active')) === count;
  await waitUntil(`${path} is under way`, () => isActive(1));
  return async () => {
    leaving.abort();
    await going;
    await waitUntil(`${path} is over`, () => isActive(0));
  };
}

/** Lets all neighbours capture at once during a capture of this page. Returns their statuses and median time. */
async function neighboursOf(path: string) {
  const stop = await keepUnderWay(path);
  const timesMs: number[] = [];
  const statuses: number[] = [];
  await Promise.all(
    keys.map(async (key) => {
      const startedMs = performance.now();
      const answer = await capture('/plain', key);
      await answer.arrayBuffer();
      statuses.push(answer.status);
      timesMs.push(performance.now() - startedMs);
    }),
  );
  await stop();
  return { statuses, medianMs: median(timesMs) };
}

const ALL_RIGHT = Array.from({ length: NEIGHBOURS }, () => 200);

test(`${NEIGHBOURS} accounts are served during every flood of console messages and errors, also from workers`, async () => {
  const quiet = await neighboursOf(IDLE);
  expect(quiet.statuses).toEqual(ALL_RIGHT);
  for (const path of Object.keys(floodingPages())) {
    const flooded = await neighboursOf(path);
    const ratio = flooded.medianMs / quiet.medianMs;
    await recordFault({
      fault: `${path.slice(1)} beside ${NEIGHBOURS} accounts that capture at once`,
      expected: `all are answered 200, at most ${MAX_TIMES_AS_LONG} times as late as beside an idle page`,
      figure: `${flooded.statuses.filter((status) => status === 200).length} answered 200; median ${flooded.medianMs.toFixed(0)} ms, ${ratio.toFixed(1)} times the ${quiet.medianMs.toFixed(0)} ms beside an idle page`,
    });
    expect(flooded.statuses).toEqual(ALL_RIGHT);
    expect(ratio).toBeLessThan(MAX_TIMES_AS_LONG);
  }
});
