import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../fixtures/wait-until.js';
import type { CaptureService } from '../../server/src/capture/capture-service.js';
import { decodePng } from '../fixtures/capture/decode-png.js';
import { shoot } from '../fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  type Handler,
  startPageServer,
  type PageServer,
} from '../fixtures/capture/page-server.js';
import { SAFE_FLAGS, startCdpBrowser, type RemoteBrowser } from '../fixtures/capture/remote-browser.js';
import { startTestCapture } from '../fixtures/capture/start-test-capture.js';

/** Flags that make a browser run each site in its own process, as browsers for people do. */
const IN_OWN_PROCESSES = [...SAFE_FLAGS, '--site-per-process'];
const OTHER_ADDRESS = '127.0.0.4';
const GREEN = [0, 128, 0];
const RED = [200, 0, 0];

const page = (style: string, script = '') =>
  `<!doctype html><style>body{margin:0;background:rgb(200,0,0)}${style}</style><body><script>${script}</script>`;
const styled = (query: string) => page(`@media (${query}){body{background:green}}`);
const told = (expression: string) => page('', `if (${expression}) document.body.style.background = 'green'`);

/** Frames that turn green if they get the option that their page was captured with. */
const FRAMES: readonly (readonly [path: string, frame: string, options: Record<string, unknown>])[] = [
  ['/colorScheme', styled('prefers-color-scheme: dark'), { colorScheme: 'dark' }],
  ['/media', page('@media print{body{background:green}}'), { media: 'print' }],
  ['/animations', styled('prefers-reduced-motion: no-preference'), { animations: 'allow' }],
  ['/locale', told("(1.5).toLocaleString() === '1,5'"), { locale: 'de-DE' }],
  ['/timezone', told('new Date(0).getHours() === 9'), { timezone: 'Asia/Tokyo' }],
  ['/userAgent', told("navigator.userAgent === 'Example/1.0'"), { userAgent: 'Example/1.0' }],
  [
    '/javaScript',
    page('body{background:green}', "document.body.style.background = 'rgb(200,0,0)'"),
    { javaScript: false },
  ],
];

const IN_ONE_PROCESS = [...SAFE_FLAGS, '--disable-site-isolation-trials'];
/** A banner of CookieAlert, which is also recognised in frames. */
const BANNER = `<div class="cookie-alert-extended" style="position:fixed;inset:0;background:rgb(200,0,0)">
  <div class="cookie-alert-extended-modal">We use cookies.
  <a data-controller="cookie-alert/extended/detail-link">Details</a>
  <button data-controller="cookie-alert/extended/button/configuration">Save</button></div></div>
  <script>document.body.removeAttribute = () => document.querySelector('.cookie-alert-extended').remove()</script>`;
const ADVERTISEMENT = '/advertisement.js';
/** Frames that turn green if they are treated like their page. */
const TREATED_FRAMES: typeof FRAMES = [
  ['/moves', page('', "setTimeout(() => { document.body.style.background = 'green' }, 1000)"), {}],
  ['/banner', `${page('body{background:green}')}${BANNER}`, { blockCookieBanners: true }],
  [
    '/advertising',
    `${page('body{background:green}')}<script src="${ADVERTISEMENT}"></script>`,
    { blockAds: true },
  ],
];
const ALL_FRAMES = [...FRAMES, ...TREATED_FRAMES];

let folder: string;
let other: PageServer;
let site: PageServer;
let remote: RemoteBrowser;
let whole: RemoteBrowser;
let capture: CaptureService;
let captureWhole: CaptureService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-lists-'));
  const list = join(folder, 'list.txt');
  await writeFile(list, ADVERTISEMENT);
  const frames = Object.fromEntries(ALL_FRAMES.map(([path, frame]) => [path, frame]));
  const advertise: Handler = (_request, response) =>
    response.end("document.body.style.background = 'rgb(200,0,0)'");
  other = await startPageServer({ ...frames, [ADVERTISEMENT]: advertise }, OTHER_ADDRESS);
  const framing = (path: string) =>
    `<!doctype html><iframe src="${other.url(path)}" style="position:fixed;inset:0;border:0"></iframe>`;
  site = await startPageServer(Object.fromEntries(ALL_FRAMES.map(([path]) => [path, framing(path)])));
  [remote, whole] = await Promise.all([startCdpBrowser(IN_OWN_PROCESSES), startCdpBrowser(IN_ONE_PROCESS)]);
  const captureIn = ({ endpoint }: RemoteBrowser) =>
    startTestCapture({
      endpoints: [endpoint],
      allowAddresses: [SITE_ADDRESS, OTHER_ADDRESS],
      blockLists: [list],
    });
  [capture, captureWhole] = await Promise.all([captureIn(remote), captureIn(whole)]);
});

afterAll(async () => {
  await Promise.all([capture.close(), captureWhole.close()]);
  await Promise.all([remote.remove(), whole.remove(), site.close(), other.close()]);
  await rm(folder, { recursive: true });
});

async function colourIn(service: CaptureService, path: string, more: Record<string, unknown>) {
  return decodePng((await shoot(service, site.url(path), more)).body).at(100, 50);
}

test.each(FRAMES)('the option %s applies in a frame of another site', async (path, _frame, options) => {
  const colourOf = (more: Record<string, unknown>) => colourIn(capture, path, more);
  // On a busy machine, a picture may be taken before the frame's process has drawn it.
  const comesTo = (colour: readonly number[], more: Record<string, unknown>) =>
    waitUntil(`it is ${colour.join()}`, async () => (await colourOf(more)).join() === colour.join());

  await comesTo(RED, {});
  await comesTo(GREEN, options);
});

test.each(TREATED_FRAMES)(
  'in a frame of another site, timers run and banners and advertisements are blocked: the frame %s',
  async (path, _frame, options) => {
    // On a busy machine, a picture may be taken before the frame's process has drawn it.
    await waitUntil(
      'it is green',
      async () => (await colourIn(capture, path, options)).join() === GREEN.join(),
    );
  },
);

test.each(ALL_FRAMES)(
  'the frame %s of another site is treated like its page if both are in one process',
  async (path, _frame, options) => {
    expect(await colourIn(captureWhole, path, options)).toEqual(GREEN);
  },
);
