import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  startPageServer,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import {
  SAFE_FLAGS,
  startCdpBrowser,
  type RemoteBrowser,
} from '../../../../test/fixtures/capture/remote-browser.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

/** As browsers do that are meant for people. */
const IN_OWN_PROCESSES = [...SAFE_FLAGS, '--site-per-process'];
const OTHER_ADDRESS = '127.0.0.4';
const GREEN = [0, 128, 0];
const RED = [200, 0, 0];

const page = (style: string, script = '') =>
  `<!doctype html><style>body{margin:0;background:rgb(200,0,0)}${style}</style><body><script>${script}</script>`;
const styled = (query: string) => page(`@media (${query}){body{background:green}}`);
const told = (expression: string) => page('', `if (${expression}) document.body.style.background = 'green'`);

/** Frames that are green where they are told what their page was. */
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

let other: PageServer;
let site: PageServer;
let remote: RemoteBrowser;
let capture: CaptureService;

beforeAll(async () => {
  other = await startPageServer(
    Object.fromEntries(FRAMES.map(([path, frame]) => [path, frame])),
    OTHER_ADDRESS,
  );
  const framing = (path: string) =>
    `<!doctype html><iframe src="${other.url(path)}" style="position:fixed;inset:0;border:0"></iframe>`;
  site = await startPageServer(Object.fromEntries(FRAMES.map(([path]) => [path, framing(path)])));
  remote = await startCdpBrowser(IN_OWN_PROCESSES);
  capture = await startTestCapture({
    endpoints: [remote.endpoint],
    allowAddresses: [SITE_ADDRESS, OTHER_ADDRESS],
  });
});

afterAll(async () => {
  await capture.close();
  await Promise.all([remote.remove(), site.close(), other.close()]);
});

test.each(FRAMES)('%s is in force in a frame of another site', async (path, _frame, options) => {
  const colourOf = async (more: Record<string, unknown>) =>
    decodePng((await shoot(capture, site.url(path), more)).body).at(100, 50);
  // On a busy machine a picture may be taken before the other process has drawn its frame.
  const comesTo = (colour: readonly number[], more: Record<string, unknown>) =>
    waitUntil(`it is ${colour.join()}`, async () => (await colourOf(more)).join() === colour.join());

  await comesTo(RED, {});
  await comesTo(GREEN, options);
});
