import type { CaptureService } from '../capture-service.js';
import { loginPage as page } from '../../../../test/fixtures/capture/login-pages.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  startPageServer,
  type Handler,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const SECRET = 'canary-77d1';
const PDF = '%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF';
const BUSY = page(
  '<p>Order taken</p><script>setInterval(()=>{for(const end=Date.now()+30;Date.now()<end;);},1)</script>',
);
const FIELD = '<input type="password" name="password" oninput="fetch(\'/typed\')">';

let orders = 0;
let typed = 0;
let site: PageServer;
/** A server of the same site, whose pages are therefore in the same process, but of another origin. */
let other: PageServer;
let capture: CaptureService;

const order =
  (body: string, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) => {
    orders += 1;
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
  };
const form = (action: string) => page(`<form method="post" action="${action}"><button>Order</button></form>`);

beforeAll(async () => {
  other = await startPageServer({
    // A page that sends the visitor back by itself, as sign-in sites do.
    '/consent': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<p>One moment</p><script>location = '${site.url('/back')}'</script>`);
    },
    '/field': page(FIELD),
    '/to-data': page(
      `<script>location = 'data:text/html,' + encodeURIComponent(${JSON.stringify(FIELD)})</script>`,
    ),
    '/typed': () => void (typed += 1),
  });
  const around = (path: string) =>
    page(`<p>Around</p><iframe id="f" src="${other.url(path)}" width="400" height="200"></iframe>`);
  site = await startPageServer({
    '/form-to-busy': form('/busy'),
    '/form-to-file': form('/as-page'),
    '/busy': order(BUSY),
    '/as-page': order(PDF),
    '/attached': order(PDF, { 'content-disposition': 'attachment; filename="a.pdf"' }),
    '/form-over-other': form('/to-other'),
    '/to-other': (_request, response) => {
      orders += 1;
      response.writeHead(303, { location: other.url('/consent') }).end();
    },
    '/back': (_request, response) =>
      response.writeHead(302, { location: '/balance', 'set-cookie': 'session=1' }).end(),
    '/balance': ({ headers }, response) =>
      response.end(headers.cookie?.includes('session=1') === true ? 'Balance 42 pounds' : 'Nobody'),
    '/form-to-loop': form('/loop'),
    '/loop': page(`<p>One moment</p><script>location = '/loop?' + Math.random()</script>`),
    '/in-markup': page(
      `<iframe srcdoc='<input name="password" oninput="parent.out.textContent = value.length">'></iframe><p id="out"></p>`,
    ),
    '/framed-field': around('/field'),
    '/framed-data': around('/to-data'),
    '/lies': page(
      `<p>Words</p><script>onkeydown = () => fetch('${other.url('/typed')}', { mode: 'no-cors' });Object.defineProperty(document, 'activeElement', { get() { throw new Error('Frame was detached ${SECRET}'); } })</script>`,
    ),
    '/moves': page(
      `<p>Words</p><script>Object.defineProperty(document, 'activeElement', { get() { location = '/keys'; throw new Error(); } })</script>`,
    ),
    '/keys': page('<script>onkeydown = ({ key }) => { if (key === "a") location = "/pressed"; }</script>'),
    '/pressed': page('<p>Pressed</p>'),
  });
  capture = await startTestCapture({ timeoutMs: 60_000 });
});
afterAll(async () => {
  await capture.close();
  await site.close();
  await other.close();
});
beforeEach(() => {
  orders = 0;
  typed = 0;
});

test('runs steps once if they lead to a page that never comes to rest', async () => {
  const { pageUrl } = await shoot(capture, site.url('/form-to-busy'), { steps: [{ click: 'button' }] });
  expect(pageUrl).toBe(site.url('/busy'));
  expect(orders).toBe(1);
});

test('steps sign in if the response leads to a page of another origin that leads back by itself', async () => {
  const steps = [{ click: 'button' }, { waitForSelector: 'text=Balance' }];
  expect((await shoot(capture, site.url('/form-over-other'), { steps })).pageUrl).toBe(site.url('/balance'));
  expect(orders).toBe(1);
});

test('a sign-in page that leads to itself without end ends in a timeout, or in an error that names the waiting step', async () => {
  const steps = [{ click: 'button' }, { waitForSelector: 'text=Balance' }];
  const ended = await outcome(shoot(capture, site.url('/form-to-loop'), { steps, timeoutMs: 5_000 }));
  expect(['timeout', 'invalidRequest']).toContain(ended.kind);
  expect(ended.kind === 'timeout' || /Step 2 .* failed/u.test(ended.message)).toBe(true);
});

test.each<[string, object]>([
  ['a click', { click: 'button' }],
  ['an address', { goto: '/attached' }],
])('runs steps once and rejects the capture if %s leads to a file', async (_what, step) => {
  const steps = ['goto' in step ? { goto: site.url('/attached') } : step];
  expect(await outcome(shoot(capture, site.url('/form-to-file'), { steps }))).toEqual({
    kind: 'invalidRequest',
    message: expect.stringContaining('The steps lead to a file, not to a page.'),
  });
  expect(orders).toBe(1);
});

test.each<[string, string, string]>([
  ['into which a selector leads', '/framed-field', '#f >> internal:control=enter-frame >> [name=password]'],
  ['that led itself to an address without an origin', '/framed-data', '[name=password]'],
])('does not type into a frame of another origin %s', async (_where, path, selector) => {
  const steps = [{ waitMs: 500 }, { fill: selector, value: SECRET }];
  const ended = await outcome(shoot(capture, site.url(path), { steps, timeoutMs: 8_000 }));
  expect(ended).toEqual({ kind: 'invalidRequest', message: expect.stringContaining('it would type into') });
  expect(ended.message).not.toContain(SECRET);
  expect(typed).toBe(0);
});

test('types into a frame whose document is in the markup of its page', async () => {
  const steps = [{ fill: '[name=password]', value: SECRET }, { waitForSelector: `text="${SECRET.length}"` }];
  expect((await outcome(shoot(capture, site.url('/in-markup'), { steps }))).kind).toBe('captured');
});

test("presses no key if the page does not say which frame has the keyboard, and does not repeat the page's message", async () => {
  expect(await outcome(shoot(capture, site.url('/lies'), { steps: [{ press: 'a' }] }))).toEqual({
    kind: 'invalidRequest',
    message: 'Step 1 (press) failed: the page does not say which of its frames gets the keys.',
  });
  expect(typed).toBe(0);
});

test('if the page navigates before a key is pressed, presses it on the new document', async () => {
  const steps = [{ press: 'a' }, { waitForSelector: 'text=Pressed' }];
  expect((await shoot(capture, site.url('/moves'), { steps })).pageUrl).toBe(site.url('/pressed'));
});
