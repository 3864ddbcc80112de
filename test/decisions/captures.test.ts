import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, pngSize, rejectionOf } from '../fixtures/answers.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { makeCertificate } from '../fixtures/storage/certificates.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const settings = {
  ...UNLIMITED,
  SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
  SIGNPOST_CAPTURE_TIMEOUT_MS: '3000',
  SIGNPOST_CAPTURE_MAX_HEIGHT_PIXELS: '20000',
  SIGNPOST_CAPTURE_MAX_RESULT_MEGABYTES: '1',
  SIGNPOST_CAPTURE_CONCURRENCY: '1',
  SIGNPOST_CAPTURE_QUEUE: '1',
};

let server: SignpostServer;
let pages: Pages;

beforeAll(async () => {
  pages = await servePages({
    '/tall': (_request, response) => response.end('<body style="margin:0;height:15000px;background:green">'),
    '/too-tall': (_request, response) => response.end('<body style="margin:0;height:20001px">'),
    '/missing': (_request, response) => response.writeHead(404).end('<h1>Nothing here</h1>'),
    '/broken': (_request, response) => response.writeHead(500).end('<h1>Sorry</h1>'),
    '/never': () => undefined,
    '/download': (_request, response) =>
      response.writeHead(200, { 'Content-Disposition': 'attachment; filename=a.bin' }).end('data'),
    '/empty': (_request, response) => response.writeHead(204).end(),
    '/loop': (_request, response) => response.writeHead(302, { Location: '/loop' }).end(),
    '/crash': (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        '<body><script>let e=document.body;for(let i=0;i<60000;i++)e=e.appendChild(document.createElement("div"))</script>',
      );
    },
    '/late': (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        '<body style="margin:0"><script>addEventListener("load",()=>fetch("/slow-data").then(()=>document.body.style.background="rgb(1,2,3)"))</script>',
      );
    },
    '/slow-data': (_request, response) => void setTimeout(() => response.end('x'), 300),
    '/with-data': (_request, response) => response.end('<body style="margin:0;background:rgb(1,2,3)">'),
    '/large': (_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<body style="margin:0"><canvas id=c width=1900 height=1000></canvas><script>const x=c.getContext('2d'),d=x.createImageData(1900,1000);for(let i=0;i<d.data.length;i+=65536)crypto.getRandomValues(d.data.subarray(i,i+65536));x.putImageData(d,0,0)</script>`,
      );
    },
  });
  server = await startSignpost(settings);
});

afterAll(async () => {
  await server.remove();
  await pages.close();
});

const screenshot = (url: string, more: object = {}) =>
  server.post('/api/screenshot', { url, width: 200, height: 100, ...more });

test.each(['width', 'height'])('the %s of a capture is a number of pixels from 16 to 7680', async (side) => {
  const url = pages.url;
  for (const pixels of [15, 7681]) {
    const { status, body } = await rejectionOf(server.post('/api/screenshot', { url, [side]: pixels }));
    expect(status).toBe(400);
    expect(body.error).toBe(`"${side}" must be a whole number from 16 to 7680, but is ${pixels}.`);
  }
  for (const pixels of [16, 7680]) {
    const answer = await server.post('/api/screenshot', { url, width: 16, height: 16, [side]: pixels });
    expect(pngSize(await bytesOf(answer))).toEqual({ width: 16, height: 16, [side]: pixels });
  }
});

test('fullPage captures the whole scroll height; above the limit, a 400 names height and limit', async () => {
  const tall = await screenshot(`${pages.url}/tall`, { fullPage: true });
  expect(pngSize(await bytesOf(tall))).toEqual({ width: 200, height: 15000 });
  const { status, body } = await rejectionOf(screenshot(`${pages.url}/too-tall`, { fullPage: true }));
  expect(status).toBe(400);
  expect(body.error).toMatch(/20,?001/u);
  expect(body.error).toMatch(/20,?000/u);
});

test('a capture waits for the data that its page fetches after load', async () => {
  const late = await bytesOf(await screenshot(`${pages.url}/late`));
  const withData = await bytesOf(await screenshot(`${pages.url}/with-data`));
  expect(late.equals(withData)).toBe(true);
});

test('a capture of a page that never responds is a 504 with a message', async () => {
  expect((await rejectionOf(screenshot(`${pages.url}/never`))).status).toBe(504);
});

describe('a page that cannot be captured', () => {
  test('a capture of a port that nothing listens on is a 400 that says why', async () => {
    const unused = createServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const address = unused.address();
    unused.close();
    await once(unused, 'close');
    const port = typeof address === 'object' ? address?.port : undefined;
    const { status, body } = await rejectionOf(screenshot(`http://127.0.0.1:${port}/`));
    expect(status).toBe(400);
    expect(body.error).toMatch(/refused/iu);
  });

  test.each([
    ['a name that is not found', 'http://no-such-host.invalid/', /name|found|resolve/iu],
    ['a download', '/download', /download/iu],
    ['an empty answer', '/empty', /empty|no content|nothing/iu],
    ['an endless redirect', '/loop', /redirect/iu],
  ])('a capture of %s is a 400 that says why', async (_what, where, why) => {
    const { status, body } = await rejectionOf(screenshot(where.startsWith('/') ? pages.url + where : where));
    expect(status).toBe(400);
    expect(body.error).toMatch(why);
  });

  test('a capture over https of a server that speaks only http is a 400 that says why', async () => {
    const { status, body } = await rejectionOf(screenshot(pages.url.replace('http:', 'https:')));
    expect(status).toBe(400);
    expect(body.error).toMatch(/https|tls|secure/iu);
  });

  test('a capture of a server with a self-signed certificate is a 400 that says why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signpost-self-signed-'));
    const files = await makeCertificate(folder, 'page', { subject: 'page', host: '127.0.0.1' });
    const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
    const insecure = createHttpsServer({ cert, key }, (_request, response) => response.end('x'));
    insecure.listen(0, '127.0.0.1');
    await once(insecure, 'listening');
    const address = insecure.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { status, body } = await rejectionOf(screenshot(`https://127.0.0.1:${port}/`));
    insecure.closeAllConnections();
    insecure.close();
    await rm(folder, { recursive: true });
    expect([status, body.error]).toEqual([400, expect.stringContaining('its certificate is self-signed')]);
  });
});

test.each([
  ['/missing', '404'],
  ['/broken', '500'],
])(
  'a capture of the page %s, which responds with an error, gets 200 and X-Page-Status %s',
  async (path, pageStatus) => {
    const response = await screenshot(pages.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('X-Page-Status')).toBe(pageStatus);
  },
);

test("a capture of a page that crashes the browser's process is a 500 that says so", async () => {
  const { status, body } = await rejectionOf(screenshot(`${pages.url}/crash`));
  expect(status).toBe(500);
  expect(body.error).toMatch(/crash/iu);
  expect((await screenshot(pages.url)).status).toBe(200);
});

test('a capture of an address that is not allowed is a 400', async () => {
  for (const url of [
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://169.254.169.254/latest/',
    'http://10.0.0.1/',
  ]) {
    const { status, body } = await rejectionOf(screenshot(url));
    expect(status).toBe(400);
    expect(body.error).toMatch(/not allowed|not public|private/iu);
  }
});

test('a capture that finds the queue full gets 503 with Retry-After', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => screenshot(`${pages.url}/never`)));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused).toHaveLength(3);
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 504)).toHaveLength(2);
});

test('a result above the maximum size is a 400 with its size and the maximum', async () => {
  const { status, body } = await rejectionOf(screenshot(`${pages.url}/large`, { width: 1900, height: 1000 }));
  expect(status).toBe(400);
  expect(body.error).toMatch(/^The result has \d\.\d MB, more than the 1\.0 MB /u);
});

test('a page margin is a number with an absolute CSS unit in upper or lower case, or 0; white space around it is ignored', async () => {
  const pdf = (marginTop: string) => server.post('/api/pdf', { url: pages.url, marginTop });
  for (const length of ['1cm', ' 10mm ', '.5IN', '20px', '12pt', '1pc', '1Q', '+1cm', '0'])
    expect((await pdf(length)).status).toBe(200);
  for (const length of ['1', '1em', '-1cm', 'cm', '1 cm']) {
    const { status, body } = await rejectionOf(pdf(length));
    expect(status).toBe(400);
    expect(body.error).toContain('"marginTop" must be a number with cm, mm, in, px, pt, pc or Q');
  }
});
