import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { CaptureService } from '../capture-service.js';
import { print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { SITE_ADDRESS } from '../../../../test/fixtures/capture/page-server.js';
import { type RecordingSite, startRecordingSite } from '../../../../test/fixtures/capture/recording-site.js';
import { SAFE_FLAGS, startCdpBrowser } from '../../../../test/fixtures/capture/remote-browser.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const OTHER_ADDRESS = '127.0.0.3';
const MARK = 'canary5d1c';
const GIVEN = {
  headers: { 'X-Token': `token-${MARK}` },
  cookies: [{ name: 'session', value: `session-${MARK}` }],
  basicAuth: { username: 'reader', password: `password-${MARK}` },
};
const SENT = {
  'x-token': `token-${MARK}`,
  cookie: `session=session-${MARK}`,
  authorization: `Basic ${Buffer.from(`reader:password-${MARK}`).toString('base64')}`,
};

let site: RecordingSite;
let other: RecordingSite;
/** A site with the same host as `site` at another port. */
let neighbour: RecordingSite;
let capture: CaptureService;

const to = (address: string) => `/to?${encodeURIComponent(address)}`;
const DONE = '<p id="done">done</p>';
/** A script that adds the element for which captures wait, once all of this work has ended or failed. */
const after = (...work: string[]) =>
  `<script>Promise.allSettled([${work.join()}]).then(() => { document.body.insertAdjacentHTML('beforeend', '${DONE}') })</script>`;
/** A script that adds a frame with this address. It resolves when the frame reports that it is done. */
const framed = (address: string) => `new Promise((resolve) => {
  addEventListener('message', ({ data }) => data === '${address}' && resolve());
  document.body.append(Object.assign(document.createElement('iframe'), { src: '${address}' }));
})`;
const WORKER = (fetches: string) => `${fetches}.finally(() => postMessage('over'))`;

/** A script that does this work with an address of `site` that redirects to the target. */
const redirected = (target: string, work: string) => `((address) => {
  const event = (thing) => new Promise((resolve) => { thing.onload = thing.onerror = resolve; });
  return ${work};
})('${to(target)}')`;

/** Markup that fetches from another site in many ways. */
const thirdParty = ({ origin }: RecordingSite) => `
  <link rel="stylesheet" href="${origin}/style.css"><link rel="preload" as="image" href="${origin}/preloaded">
  <style>@font-face { font-family: F; src: url(${origin}/font) } p { font-family: F; background: url(${origin}/background) }</style>
  <p>words</p><img src="${origin}/image"><img src="${to(`${origin}/redirected-image`)}">
  <iframe src="${to(`${origin}/redirected-frame`)}"></iframe>
  ${after(
    `fetch('${origin}/cors', { headers: { 'x-own': '1' } })`,
    `fetch('${origin}/with-cookies', { mode: 'no-cors', credentials: 'include' })`,
    `fetch('${to(`${origin}/redirected-fetch`)}')`,
    ...[`fetch(address, { keepalive: true })`, `event(new EventSource(address))`].map((work, at) =>
      redirected(`${origin}/redirected-${at}`, work),
    ),
    redirected(
      `${origin}/redirected-script`,
      `event(document.body.appendChild(Object.assign(document.createElement('script'), { src: address })))`,
    ),
    redirected(
      `${origin}/redirected-video`,
      `event(Object.assign(document.createElement('video'), { src: address }))`,
    ),
    redirected(
      `${origin}/redirected-object`,
      `event(document.body.appendChild(Object.assign(document.createElement('object'), { data: address })))`,
    ),
    redirected(`${origin}/redirected-font`, `new FontFace('G', 'url(' + address + ')').load()`),
    `fetch('${origin}/posted', { method: 'POST', mode: 'no-cors', body: 'x' })`,
    `new Promise((resolve) => { new Worker('/worker.js?${encodeURIComponent(origin)}').onmessage = resolve })`,
    framed(`${origin}/frame`),
    'document.fonts.ready',
  )}`;
const ASKED_OF_OTHERS = [
  ...['/style.css', '/preloaded', '/font', '/background', '/image', '/redirected-image', '/frame'],
  ...['/redirected-0', '/redirected-1', '/redirected-script', '/redirected-video', '/redirected-object'],
  ...[
    '/redirected-font',
    '/redirected-worker',
    '/redirected-frame',
    '/cors',
    '/with-cookies',
    '/redirected-fetch',
    '/posted',
    '/from-worker',
  ],
];

const pagesOfSite = () => ({
  '/third-party': thirdParty(other),
  '/other-port': thirdParty(neighbour),
  '/worker.js': WORKER(`Promise.allSettled(
    ['/from-worker', '/redirected-worker'].map((path, at) => {
      const target = decodeURIComponent(location.search.slice(1)) + path;
      return fetch(at === 0 ? target : '/to?' + encodeURIComponent(target), { mode: 'no-cors' });
    }))`),
  '/own': `<link rel="stylesheet" href="/style.css"><img src="/image"><img src="${to('/redirected')}">
    <iframe src="/frame"></iframe><iframe srcdoc="<img src='${site.origin}/from-srcdoc'>"></iframe>
    ${after(`fetch('/fetched')`, `new Promise((resolve) => { new Worker('/own-worker.js').onmessage = resolve })`)}`,
  '/own-worker.js': WORKER(`fetch('/from-worker')`),
  '/frame': '<img src="/from-frame">',
  '/led-by-frame': `<iframe src="${other.origin}/leads-page"></iframe>`,
  '/silent': (response: ServerResponse) =>
    response.setHeader('referrer-policy', 'no-referrer').end(`<img src="/silent-image">${DONE}`),
  '/framing': `<iframe sandbox="allow-scripts" srcdoc="<script>fetch('${site.origin}/from-sandbox')</script>"></iframe>
    ${after(framed(`${other.origin}/asks-back`))}`,
  '/sets': (response: ServerResponse, { cookie }: IncomingHttpHeaders) =>
    response
      .setHeader('set-cookie', ['session=renewed', 'more=1'])
      .end(`<p>${cookie}</p>${after(`fetch('/account/set')`, `fetch('/accounts')`)}`),
  '/locked': (response: ServerResponse, { authorization }: IncomingHttpHeaders) =>
    response
      .writeHead(authorization === SENT.authorization ? 200 : 401, {
        'www-authenticate': 'Basic realm="Members"',
      })
      .end('locked'),
});

const pagesOfOther = () => ({
  '/file.csv': (response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment' })
      .end('name,price\nTea,2\n'),
  '/leads-page': `<meta name="referrer" content="no-referrer"><script>
    try { top.location = '${site.origin}/led' } catch {}
    parent.postMessage(location.href, '*');
  </script>`,
  '/frame': `<script>parent.postMessage(location.href, '*')</script>`,
  '/asks-back': `<meta name="referrer" content="no-referrer"><body><script>
    const load = (tag) => new Promise((resolve) => {
      const element = document.createElement(tag);
      element.onload = element.onerror = resolve;
      element.src = '${site.origin}/asked-by-' + tag;
      document.body.append(element);
    });
    const work = [fetch('${site.origin}/asked-by-fetch'), load('img'), load('script'), load('iframe')];
    Promise.allSettled(work).then(() => parent.postMessage(location.href, '*'));
  </script>`,
});

beforeAll(async () => {
  site = await startRecordingSite(SITE_ADDRESS, pagesOfSite);
  other = await startRecordingSite(OTHER_ADDRESS, pagesOfOther);
  neighbour = await startRecordingSite(SITE_ADDRESS, pagesOfOther);
  capture = await startTestCapture({ allowAddresses: [SITE_ADDRESS, OTHER_ADDRESS] });
});

beforeEach(() => [site, other, neighbour].forEach(({ requests }) => requests.splice(0)));

afterAll(async () => {
  await capture.close();
  await Promise.all([site.close(), other.close(), neighbour.close()]);
});

const WAIT = { waitForSelector: '#done' };
const pathsOf = ({ requests }: RecordingSite) => [...new Set(requests.map(({ path }) => path))];
/** The requests that had every header and cookie of the capture. */
const withGiven = ({ requests }: RecordingSite) =>
  requests.filter(({ headers }) => Object.entries(SENT).every(([name, value]) => headers[name] === value));
/** The paths of the requests that had none of the headers and cookies of the capture. */
const pathsWithout = ({ requests }: RecordingSite) =>
  requests
    .filter(({ headers }) => !JSON.stringify(headers).includes(MARK) && headers.authorization === undefined)
    .map(({ path }) => path);

function expectNothingAt(canary: RecordingSite) {
  expect(pathsOf(canary)).toEqual(expect.arrayContaining(ASKED_OF_OTHERS));
  expect(pathsWithout(canary)).toHaveLength(canary.requests.length);
  expect(withGiven(site)).toHaveLength(site.requests.length);
  expect(pathsOf(site)).toEqual(expect.arrayContaining(['/to', '/worker.js']));
}

test('another host gets no credentials: not by images, styles, fonts, frames, fetches, workers or redirects', async () => {
  await shoot(capture, `${site.origin}/third-party`, { ...GIVEN, ...WAIT });
  expectNothingAt(other);
  other.requests.splice(0);
  await print(capture, `${site.origin}/third-party`, { ...GIVEN, ...WAIT });
  expectNothingAt(other);
});

test('another port of the same host gets no credentials', async () => {
  await shoot(capture, `${site.origin}/other-port`, { ...GIVEN, ...WAIT });
  expectNothingAt(neighbour);
});

test('the target of a redirect to another host or port does not get the credentials', async () => {
  await shoot(capture, `${site.origin}${to(`${other.origin}/nothing`)}`, GIVEN);
  await shoot(capture, `${site.origin}${to(`${neighbour.origin}/nothing`)}`, GIVEN);
  expect([withGiven(site).length, pathsWithout(other), pathsWithout(neighbour)]).toEqual([
    2,
    ['/nothing'],
    ['/nothing'],
  ]);
});

test("all requests to the page's own origin have the credentials, and the next capture has none", async () => {
  const asked = [
    '/own',
    '/style.css',
    '/image',
    '/redirected',
    '/frame',
    '/from-frame',
    '/from-srcdoc',
    '/fetched',
  ];
  const all = [...asked, '/own-worker.js', '/from-worker'];
  await shoot(capture, `${site.origin}/own`, { ...GIVEN, ...WAIT, userAgent: 'Example/1.0', locale: 'cy' });
  expect(pathsOf(site)).toEqual(expect.arrayContaining(all));
  expect(withGiven(site)).toHaveLength(site.requests.length);
  expect(site.requests[0]?.headers).toMatchObject({
    'user-agent': 'Example/1.0',
    'accept-language': expect.stringMatching(/^cy/u),
  });

  site.requests.splice(0);
  await shoot(capture, `${site.origin}/own`, WAIT);
  expect(pathsOf(site)).toEqual(expect.arrayContaining(all));
  expect(pathsWithout(site)).toHaveLength(site.requests.length);
});

test('requests of a page that sends no referrer still have the credentials', async () => {
  await shoot(capture, `${site.origin}/silent`, { ...GIVEN, ...WAIT });
  expect(withGiven(site).map(({ path }) => path)).toEqual(['/silent', '/silent-image']);
});

test('requests from a frame of another origin to the origin of the page have no credentials', async () => {
  await shoot(capture, `${site.origin}/framing`, { ...GIVEN, ...WAIT });
  expect(withGiven(site).map(({ path }) => path)).toEqual(['/framing']);
  expect(pathsWithout(site).toSorted()).toEqual([
    '/asked-by-fetch',
    '/asked-by-iframe',
    '/asked-by-img',
    '/asked-by-script',
    '/from-sandbox',
  ]);
});

test('if a frame of another origin navigates the whole page back to the first origin, the request has no credentials', async () => {
  await shoot(capture, `${site.origin}/led-by-frame`, { ...GIVEN, waitMs: 300 });
  expect(withGiven(site).map(({ path }) => path)).toEqual(['/led-by-frame']);
  expect(pathsWithout(site)).toHaveLength(site.requests.length - 1);
});

test('a file at another origin is requested without credentials, also when the capture is repeated', async () => {
  const address = `${site.origin}${to(`${other.origin}/file.csv`)}`;
  expect((await read(capture, address, GIVEN)).content).toContain('| Tea | 2 |');
  expect(withGiven(site).map(({ path }) => path)).toEqual(['/to', '/to']);
  expect(pathsWithout(other)).toEqual(['/file.csv', '/file.csv']);
});

test("given headers replace the browser's, cookies keep to their path, and the site's own cookies have precedence", async () => {
  const cookies = [
    { name: 'session', value: 'given' },
    { name: 'place', value: 'account', path: '/account' },
  ];
  await shoot(capture, `${site.origin}/sets`, { headers: { 'accept-language': 'cy' }, cookies, ...WAIT });
  expect(
    site.requests.map(({ path, headers }) => [path, headers.cookie, headers['accept-language']]),
  ).toEqual([
    ['/sets', 'session=given', 'cy'],
    ['/account/set', 'place=account; session=renewed; more=1', 'cy'],
    ['/accounts', 'session=renewed; more=1', 'cy'],
  ]);
});

test('basicAuth opens a page that requires a password', async () => {
  const { basicAuth } = GIVEN;
  expect((await shoot(capture, `${site.origin}/locked`)).pageStatus).toBe(401);
  expect((await shoot(capture, `${site.origin}/locked`, { basicAuth })).pageStatus).toBe(200);
  const wrong = { basicAuth: { ...basicAuth, password: 'wrong' } };
  expect((await shoot(capture, `${site.origin}/locked`, wrong)).pageStatus).toBe(401);
});

test("a remote browser sends the guard's password only to the guard, and the page's password only to the page", async () => {
  const withGuards = () =>
    [site, other].flatMap((one) => one.requests.filter(({ headers }) => 'proxy-authorization' in headers));
  const browser = await startCdpBrowser(SAFE_FLAGS);
  const remote = await startTestCapture({
    endpoints: [browser.endpoint],
    guardAddress: { host: '127.0.0.4', port: 0 },
    allowAddresses: [SITE_ADDRESS, OTHER_ADDRESS],
  });
  try {
    await shoot(remote, `${site.origin}/third-party`, { ...GIVEN, ...WAIT });
    expectNothingAt(other);
    expect(withGuards()).toEqual([]);
    site.requests.splice(0);
    await shoot(remote, `${site.origin}/framing`, { ...GIVEN, ...WAIT });
    expect(withGiven(site).map(({ path }) => path)).toEqual(['/framing']);
    expect(pathsWithout(site)).toHaveLength(site.requests.length - 1);
    expect(withGuards()).toEqual([]);
  } finally {
    await remote.close();
    await browser.remove();
  }
});
