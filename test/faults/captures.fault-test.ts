import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf } from '../fixtures/answers.js';
import { rounds } from '../fixtures/length.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { descendantsOf, stillRunning } from '../fixtures/processes.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { pagesOf } from './support/browsers.js';
import { recordFault } from './support/fault-table.js';
import { heldBytes, WITH_HELD_MEMORY } from './support/held-memory.js';
import { descendantsBytes, mebibytes, median, settled } from './support/process-figures.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/** More captures than a browser takes before it is replaced. */
const CAPTURES = rounds(625, 1_000);
const AT_ONCE = 4;
/** Capture slots of the browser. Each keeps a page open in advance. */
const PLACES = 2;
/** How many renderers may stay: one for each page open in advance, and one that Chromium may keep for the next site. */
const OPEN_IN_ADVANCE = 2 * PLACES + 1;
const LOOK_EVERY = rounds(25, 50);
/** Captures after which caches are full and memory can be compared. */
const WARM_AFTER = 250;
/**
 * How many of the first and of the last samples after the warm-up are compared, by their medians. A single sample may
 * follow a browser restart.
 */
const LOOKS = 8;
const MAX_GROWTH = 1.1;

/** Whether the memory after this many captures is compared. Only then is it measured, because that takes seconds. */
const isCompared = (taken: number) =>
  taken >= WARM_AFTER && (taken < WARM_AFTER + LOOKS * LOOK_EVERY || taken > CAPTURES - LOOKS * LOOK_EVERY);

const CARDS = Array.from(
  { length: 30 },
  (_, index) => `<p style="height:100px;background:hsl(${index * 12} 60% 50%)">Card ${index}</p>`,
).join('');

let pages: Pages;
let temporary: string;
let server: SignpostServer;
let pid: number;

beforeAll(async () => {
  pages = await servePages({
    '/cards': (_request, response) =>
      response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Cards</title>${CARDS}`),
  });
  temporary = await mkdtemp(join(tmpdir(), 'signpost-captures-'));
  server = await startSignpost({
    ...UNLIMITED,
    ...WITH_HELD_MEMORY,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    SIGNPOST_CAPTURE_CONCURRENCY: String(PLACES),
    TMPDIR: temporary,
  });
  pid = server.process.pid ?? 0;
});
afterAll(async () => {
  await server.remove();
  await pages.close();
  await rm(temporary, { recursive: true, force: true });
});

const html = `<!doctype html><title>Cards</title><a href="/cards">All cards</a>${CARDS}`;
const size = { width: 400, height: 300 };
const OPTIONS = {
  device: 'iPhone 15',
  selector: 'p:last-of-type',
  waitUntil: 'networkIdle',
  locale: 'cy',
  css: 'p { margin: 0 }',
  hideSelectors: ['p:first-of-type'],
  clickSelectors: ['p'],
  blockAds: true,
  blockCookieBanners: true,
  cookies: [{ name: 'session', value: 'a1b2c3' }],
};
const KINDS: readonly { readonly path: string; readonly asked: object; readonly signature: string }[] = [
  { path: '/api/screenshot', asked: size, signature: '\x89PNG' },
  { path: '/api/screenshot', asked: { ...size, format: 'jpeg' }, signature: '\xff\xd8\xff\xe0' },
  { path: '/api/screenshot', asked: { ...size, fullPage: true }, signature: '\x89PNG' },
  { path: '/api/screenshot', asked: OPTIONS, signature: '\x89PNG' },
  { path: '/api/pdf', asked: {}, signature: '%PDF' },
  { path: '/api/pdf', asked: { html, singlePage: true }, signature: '%PDF' },
  { path: '/api/content', asked: {}, signature: '{"re' },
];

/** Takes one capture of the kind for this number. Returns what was wrong with it, or undefined. */
async function capture(number: number): Promise<string | undefined> {
  const kind = KINDS[number % KINDS.length];
  if (kind === undefined) return undefined;
  const { path, asked, signature } = kind;
  const answer = await server.post(path, 'html' in asked ? asked : { ...asked, url: `${pages.url}/cards` });
  const bytes = await bytesOf(answer);
  const start = bytes.toString('latin1', 0, 4);
  return answer.status === 200 && start === signature ? undefined : `${number}: ${answer.status} ${start}`;
}

/** Takes `count` captures, several at once. Returns what was wrong with them. */
async function takeCaptures(first: number, count: number): Promise<readonly string[]> {
  const wrong: string[] = [];
  let next = first;
  const caller = async () => {
    while (next < first + count) {
      const problem = await capture(next++);
      if (problem !== undefined) wrong.push(problem);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return wrong;
}

interface Look {
  readonly serverBytes: number;
  readonly browserBytes: number;
}

const look = async (): Promise<Look> => ({
  serverBytes: await heldBytes(server),
  browserBytes: await settled(() => descendantsBytes(pid)),
});

const medianOf = (looks: readonly Look[], figure: 'serverBytes' | 'browserBytes') =>
  median(looks.map((one) => one[figure]));

test(`${CAPTURES} captures leak no memory, page, process or temporary folder`, async () => {
  const looks: Look[] = [];
  const wrong: string[] = [];
  const startedAtMs = performance.now();
  for (let taken = 0; taken < CAPTURES; taken += LOOK_EVERY) {
    wrong.push(...(await takeCaptures(taken, LOOK_EVERY)));
    if (isCompared(taken + LOOK_EVERY)) looks.push(await look());
  }
  const elapsedSeconds = (performance.now() - startedAtMs) / 1_000;
  const warm = looks.slice(0, LOOKS);
  const last = looks.slice(-LOOKS);
  await waitUntil(
    'no page is open but those in advance, of both browsers',
    async () => (await pagesOf(pid)).length <= OPEN_IN_ADVANCE,
  );
  const browser = await descendantsOf(pid);
  const exitCode = await server.end('SIGTERM');
  const left = { processes: await stillRunning(browser), files: await readdir(temporary) };

  const [from, to] = [warm, last].map((seen) => ({
    server: medianOf(seen, 'serverBytes'),
    browser: medianOf(seen, 'browserBytes'),
  }));
  if (from === undefined || to === undefined) throw new Error('There were no looks at the memory.');
  await recordFault({
    fault: `${CAPTURES} captures: pictures, PDFs and texts, of addresses and HTML, with options, ${AT_ONCE} at once`,
    expected: 'memory within 10 %; no page, no process and no temporary folder is left',
    figure:
      `at the median, server ${mebibytes(from.server)} early, ${mebibytes(to.server)} late; ` +
      `browser ${mebibytes(from.browser)} and ${mebibytes(to.browser)}; ${wrong.length} wrong; left: ` +
      `${left.processes.length} processes, ${left.files.length} files; ${elapsedSeconds.toFixed(0)} s`,
  });
  expect(wrong).toEqual([]);
  expect(browser.length).toBeGreaterThan(0);
  expect([exitCode, left]).toEqual([0, { processes: [], files: [] }]);
  expect(to.server / from.server).toBeLessThan(MAX_GROWTH);
  expect(to.browser / from.browser).toBeLessThan(MAX_GROWTH);
}, 600_000);
