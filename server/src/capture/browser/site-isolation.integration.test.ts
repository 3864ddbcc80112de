import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaptureService } from '../capture-service.js';
import { linuxProcesses } from './browser-processes.js';
import {
  type BrowserProcess,
  browserProcesses,
} from '../../../../test/fixtures/capture/browser-processes.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { imagesOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { outcome, print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  type Handler,
  startPageServer,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { PEEPING } from '../../../../test/fixtures/capture/peeping-page.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';

const OTHER_ADDRESS = '127.0.0.3';
const THIRD_ADDRESS = '127.0.0.5';
const MAX_MEGABYTES = 300;
const GREEN = [0, 128, 0];
const TOKEN = 'token-5d1c';
const PRIVATE = { headers: { 'X-Token': TOKEN } };
const ADVERTISEMENT = '/advertisement.js';

const page = (body = '') =>
  `<!doctype html><style>body{margin:0;background:rgb(200,0,0)}</style><body>${body}`;
const GREEN_PAGE = page('<style>body{background:green}</style>');
const COVER = 'position:fixed;inset:0;width:100%;height:100%;border:0';

/** A cookie banner as CookieAlert shows it, which is recognised in frames too. */
const BANNER = `<div class="cookie-alert-extended" style="position:fixed;inset:0;background:rgb(200,0,0)">
  <div class="cookie-alert-extended-modal">We use cookies.
  <a data-controller="cookie-alert/extended/detail-link">Details</a>
  <button data-controller="cookie-alert/extended/button/configuration">Save</button></div></div>
  <script>document.body.removeAttribute = () => document.querySelector('.cookie-alert-extended').remove()</script>`;

/** The HTML of a page that fills this much memory and then turns to `colour`. */
const fill = (megabytes: number, colour = 'green') => `${page()}<script>
  const held = (globalThis.held = []);
  for (let left = ${megabytes / 10}; left > 0; left -= 1) held.push(new Uint8Array(1e7).fill(1));
  document.body.style.background = '${colour}';
</script>`;

/** Functions that answer the waiting requests for /held. */
const held: (() => void)[] = [];
const hold: Handler = (_request, response) => {
  held.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end(GREEN_PAGE));
};
const release = () => held.splice(0).forEach((go) => go());
const untilHeld = (count: number) => waitUntil(`${count} requests wait`, () => held.length >= count);

/** The tokens that the other site got with requests for its frame `/ask`. */
const tokensElsewhere: unknown[] = [];
/** The requests that the site got from frames, and whether they carried the credentials. */
const heard: { readonly path: string; readonly hasToken: boolean }[] = [];
const hear =
  (html: string): Handler =>
  (request, response) => {
    heard.push({ path: request.url ?? '', hasToken: request.headers['x-token'] === TOKEN });
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  };
const TELL = "parent.postMessage('done', '*')";
const whenTold = (frame: string) => `<script>
  addEventListener('message', () => document.body.insertAdjacentHTML('beforeend', '<p id="done">done'));
</script>${frame}`;

/** What a page reports when it tries to read the picture of its frame. */
const peeped: string[] = [];
let folder: string;
let site: PageServer;
let other: PageServer;
let third: PageServer;
const services: CaptureService[] = [];

const start = async (options: Parameters<typeof startTestCapture>[0] = {}) => {
  const service = await startTestCapture({
    allowAddresses: [SITE_ADDRESS, OTHER_ADDRESS, THIRD_ADDRESS],
    maxMemoryBytes: MAX_MEGABYTES * 1_000_000,
    blockLists: [join(folder, 'list.txt')],
    ...options,
  });
  services.push(service);
  return service;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-lists-'));
  await writeFile(join(folder, 'list.txt'), ADVERTISEMENT);
  const paint: Handler = (_request, response) =>
    response.end("document.body.style.background = 'rgb(200,0,0)'");
  const turnGreen = "document.body.style.background = 'green'";
  const ask: Handler = (request, response) => {
    tokensElsewhere.push(request.headers['x-token']);
    const target = `http://${SITE_ADDRESS}:${new URL(request.url ?? '', 'http://other').searchParams.get('port')}/read`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<script>fetch('${target}', { mode: 'no-cors' }).finally(() => ${TELL})</script>`);
  };
  third = await startPageServer(
    { '/half': fill(130), '/words': '<p>Words of a frame in it.' },
    THIRD_ADDRESS,
  );
  other = await startPageServer(
    {
      '/plain': GREEN_PAGE,
      '/held': hold,
      '/moves': page(`<script>setTimeout(() => { ${turnGreen} }, 1000)</script>`),
      '/banner': `${GREEN_PAGE}${BANNER}`,
      '/advertising': `${GREEN_PAGE}<script src="${ADVERTISEMENT}"></script>`,
      [ADVERTISEMENT]: paint,
      '/fetches': page(
        `<script>onload = () => setTimeout(() => fetch('/slow?ms=900').then(() => { ${turnGreen} }))</script>`,
      ),
      '/full': fill(MAX_MEGABYTES + 100),
      '/half': fill(130),
      '/words': `<p>Words of a frame.<iframe src="${third.url('/words')}"></iframe>`,
      '/ask': ask,
    },
    OTHER_ADDRESS,
  );
  const framing = (address: string) => `<!doctype html><iframe src="${address}" style="${COVER}"></iframe>`;
  const paths = ['/plain', '/held', '/moves', '/banner', '/advertising', '/fetches', '/half'];
  site = await startPageServer({
    '/never': () => undefined,
    '/held': hold,
    '/plain': GREEN_PAGE,
    ...Object.fromEntries(paths.map((path) => [`/framing${path}`, framing(other.url(path))])),
    '/both': `${fill(130)}<iframe src="${other.url('/half')}"></iframe><img src="/held">`,
    '/framing/full': `${framing(other.url('/full'))}<img src="/never">`,
    '/framing/halves': `${framing(other.url('/half'))}${framing(third.url('/half'))}<img src="/never">`,
    '/words': `<p>Words of the page.<iframe src="${other.url('/words')}"></iframe>`,
    '/peeping': `${framing(other.url('/plain'))}${PEEPING}`,
    '/peeped': (request, response) => {
      peeped.push(decodeURIComponent(new URL(request.url ?? '', 'http://x').search.slice(1)));
      response.writeHead(204).end();
    },
    '/read': hear('read'),
    '/own-frame': hear(`<script>${TELL}</script>`),
    '/asking': (_request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(whenTold(`<iframe src="${other.url(`/ask?port=${site.port}`)}"></iframe>`)),
    '/leading': whenTold(`<iframe src="${other.url('/plain')}"
      onload="this.onload = null; this.src = '/own-frame'"></iframe>`),
  });
});

beforeEach(() => heard.splice(0));
afterEach(async () => {
  release();
  await Promise.all(services.splice(0).map((service) => service.close()));
});
afterAll(async () => {
  await Promise.all([site.close(), other.close(), third.close()]);
  await rm(folder, { recursive: true });
});

const isIsolated = ({ commandLine }: BrowserProcess) => /--site-per-process/u.test(commandLine);
const running = async (which: (process: BrowserProcess) => boolean) =>
  (await browserProcesses()).filter(which);

const colourOf = async (capture: CaptureService, path: string, more: Record<string, unknown>) =>
  decodePng((await shoot(capture, site.url(path), more)).body).at(100, 50);

/** Captures a page that fills memory, as its frame does. Returns how many processes hold more than 100 MB. */
async function fullProcesses(capture: CaptureService, more: Record<string, unknown>): Promise<number> {
  const full = () =>
    linuxProcesses
      .tree(process.pid)
      .filter(({ pid, bytes }) => bytes > 100_000_000 && linuxProcesses.isRenderer(pid));
  await waitUntil('earlier ones have ended', () => full().length === 0);
  const capturing = shoot(capture, site.url('/both'), more);
  let count = 0;
  await waitUntil('both are full', () => {
    const renderers = full();
    count = renderers.length;
    return renderers.reduce((sum, { bytes }) => sum + bytes, 0) > 2 * 100_000_000;
  });
  await untilHeld(1);
  release();
  await capturing;
  return count;
}

test('a page with credentials and its frame of another site run in different processes', async () => {
  const capture = await start();

  expect(await fullProcesses(capture, {})).toBe(1);
  expect(await fullProcesses(capture, PRIVATE)).toBe(2);
});

test('only captures with credentials start the isolated browser, which ends when it is idle', async () => {
  const capture = await start({ idleMs: 0 });
  await Promise.all([shoot(capture, site.url('/plain')), print(capture, site.url('/plain'))]);
  expect((await running(isIsolated)).length).toBe(0);

  const capturing = shoot(capture, site.url('/framing/held'), PRIVATE);
  await untilHeld(1);
  expect((await running(isIsolated)).length).toBeGreaterThan(0);
  release();
  await capturing;
  await waitUntil('it has ended', async () => (await running(isIsolated)).length === 0);
  expect(await colourOf(capture, '/plain', PRIVATE)).toEqual(GREEN);
  expect(capture.state().restarts).toBe(0);
});

test.each(['/framing/full', '/framing/halves'])(
  'on the page %s, frames that take too much memory end only their own capture',
  async (path) => {
    const capture = await start({ concurrency: 3 });
    let isOver = false;
    const ending = outcome(shoot(capture, site.url(path), PRIVATE)).finally(() => (isOver = true));
    const beside = async () => {
      do expect(await colourOf(capture, '/framing/half', PRIVATE)).toEqual(GREEN);
      while (!isOver);
    };
    await beside();

    expect(await ending).toMatchObject({
      kind: 'invalidRequest',
      message: expect.stringMatching(/^The page takes more memory than the 300 MB/u),
    });
    expect(capture.state().restarts).toBe(0);
  },
);

test.each([
  ['a frame of another site is in the picture', '/framing/plain', {}],
  ['a timer in a frame of another site runs out', '/framing/moves', {}],
  ['no advertisements are loaded in a frame of another site', '/framing/advertising', { blockAds: true }],
  ['the cookie banner in a frame of another site is closed', '/framing/banner', { blockCookieBanners: true }],
  ['requests of a frame of another site are awaited', '/framing/fetches', { waitUntil: 'networkIdle' }],
])('with credentials, %s', async (_what, path, options) => {
  expect(await colourOf(await start(), path, { ...PRIVATE, ...options })).toEqual(GREEN);
});

test('a PDF with credentials shows a frame of another site as a picture', async () => {
  const capture = await start();
  const picturesOn = async (path: string) => imagesOf((await print(capture, site.url(path), PRIVATE)).body);

  expect(await picturesOn('/plain')).toBe(0);
  expect(await picturesOn('/framing/plain')).toBe(1);
});

test('a page cannot read the picture of a frame that is added to its PDF', async () => {
  const capture = await start();
  const { body } = await print(capture, site.url('/peeping'), PRIVATE);

  expect(await imagesOf(body)).toBe(1);
  await waitUntil('the page has seen the address', () => peeped.length > 0);
  expect(peeped.filter((what) => !what.startsWith('at https://frames.signpost.invalid/'))).toEqual([]);
});

test('with credentials, the text of a page includes the text of its frames of other sites', async () => {
  const capture = await start();
  const url = site.url('/words');
  const options = { mainContentOnly: false };
  const { content } = await read(capture, url, options);

  expect(content).toMatch(/Words of the page\.[^]*Words of a frame\.[^]*Words of a frame in it\./u);
  expect((await read(capture, url, { ...options, ...PRIVATE })).content).toBe(content);
});

test("requests for and from a frame of another site carry no credentials, not even to the page's site; a request for a frame of the page's site does", async () => {
  const capture = await start();
  const paths = (hasToken: boolean) =>
    heard.filter((one) => one.hasToken === hasToken).map(({ path }) => path);

  await shoot(capture, site.url('/asking'), { ...PRIVATE, waitForSelector: '#done' });
  expect([paths(true), paths(false), tokensElsewhere]).toEqual([[], ['/read'], [undefined]]);

  await shoot(capture, site.url('/leading'), { ...PRIVATE, waitForSelector: '#done' });
  expect(paths(true)).toEqual(['/own-frame']);
});

test('rejects captures with credentials if the isolated browser does not start, and the state says why', async () => {
  const capture = await start({ browserPath: '/bin/false' });
  expect(capture.state().isolationProblem).toBeUndefined();

  expect((await outcome(shoot(capture, site.url('/plain'), PRIVATE))).kind).toBe('overloaded');
  expect(capture.state().isolationProblem).toBe('/bin/false ended as soon as it had started');
});

test('killing the isolated browser fails no capture, and the browser is replaced', async () => {
  const capture = await start();
  const capturing = shoot(capture, site.url('/framing/held'), PRIVATE);
  await untilHeld(1);
  for (const { pid } of await running(isIsolated)) process.kill(pid, 'SIGKILL');
  await untilHeld(2);
  release();

  expect((await capturing).pageStatus).toBe(200);
  expect(await colourOf(capture, '/framing/plain', PRIVATE)).toEqual(GREEN);
  expect(capture.state()).toMatchObject({ browser: 'ready', restarts: 1 });
});
