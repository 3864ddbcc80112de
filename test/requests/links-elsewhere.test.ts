import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { noCaptures, PICTURE } from '../fixtures/capture/no-captures.js';
import { startTestBrowser, type Person, type TestBrowser } from '../fixtures/browser.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const [WIDTH, HEIGHT] = [3, 2];
/** A PNG of 3 × 2 pixels, made by hand so that this test needs no capture. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mM4wZACQQxwFgBIvAcJuagkbgAAAABJRU5ErkJggg==',
  'base64',
);
/** The width in pixels of the picture that says why there is no capture. */
const PROBLEM_WIDTH = 480;

let app: ConsoleApp;
let browser: TestBrowser;
let viewer: Person;
/** Serves the pages in which links are shown, from another site: another host than the server's. */
let site: Pages;

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

beforeAll(async () => {
  const takeNothing = () =>
    Promise.resolve({ ...noCaptures(), screenshot: () => Promise.resolve({ ...PICTURE, body: PNG }) });
  [app, browser] = await Promise.all([startConsoleApp(UNLIMITED, takeNothing), startTestBrowser()]);
  const page =
    (headers: Readonly<Record<string, string>>) => (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end('<!doctype html><p>Words</p>');
    };
  site = await servePages({
    '/plain': page({}),
    '/isolated': page(ISOLATED),
    '/careful': page({ 'Content-Security-Policy': `default-src 'none'; img-src ${app.url}` }),
  });
  viewer = await browser.person(`http://localhost:${site.port}`);
});
afterAll(async () => {
  await viewer.close();
  await browser.close();
  await site.close();
  await app.close();
});

async function make(more: object = {}): Promise<string> {
  const request = { operation: 'captureScreenshot', request: { url: 'https://page.example/' }, ...more };
  return z.object({ url: z.string() }).parse(await (await app.post('/api/link', request)).json()).url;
}

/** Adds a picture to the page in the browser. Returns its width, once it is decoded. */
const showPicture = (url: string, attributes: object = {}) =>
  viewer.page.evaluate(
    ([src, more]) => {
      const picture = Object.assign(new Image(), more, { src });
      document.body.append(picture);
      return picture.decode().then(() => picture.naturalWidth);
    },
    [url, attributes] as const,
  );

test.each(['/plain', '/isolated', '/careful'])(
  'a page of another site (%s) shows the picture of a link, and another picture when the link has ended',
  async (path) => {
    const url = await make({ expiresInSeconds: 60 });
    await viewer.page.goto(path);
    expect(await viewer.page.evaluate('crossOriginIsolated')).toBe(path === '/isolated');
    expect(await showPicture(url)).toBe(WIDTH);
    app.pass(60_000);
    expect(await showPicture(`${url}?again`)).toBe(PROBLEM_WIDTH);
  },
);

test("scripts of other sites may read the pixels of a link's picture and fetch the link without cookies, but not with them", async () => {
  const url = await make();
  await viewer.page.goto('/isolated');
  expect(await showPicture(url, { crossOrigin: 'anonymous' })).toBe(WIDTH);
  const read = `(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${WIDTH}, height: ${HEIGHT} });
    const pen = canvas.getContext('2d');
    pen.drawImage(document.querySelector('img'), 0, 0);
    return [pen.getImageData(0, 0, ${WIDTH}, ${HEIGHT}).data.length, (await fetch('${url}')).status];
  })()`;
  expect(await viewer.page.evaluate(read)).toEqual([4 * WIDTH * HEIGHT, 200]);
  const withCookies = `fetch('${url}?mine', { credentials: 'include' }).then(() => 'read', () => 'refused')`;
  expect(await viewer.page.evaluate(withCookies)).toBe('refused');
});

test('a page of another site shows a link in a frame', async () => {
  const url = await make();
  await viewer.page.goto('/plain');
  await viewer.page.evaluate((src) => {
    document.body.append(Object.assign(document.createElement('iframe'), { src }));
  }, url);
  const picture = viewer.page.frameLocator('iframe').locator('img');
  await picture.waitFor();
  expect(await picture.evaluate((shown) => shown instanceof HTMLImageElement && shown.naturalWidth)).toBe(
    WIDTH,
  );
});

test.each<[string, Record<string, string>]>([
  [
    'Google Sheets',
    {
      'User-Agent': 'Mozilla/5.0 (compatible; GoogleDocs; apps-spreadsheets; +http://docs.google.com)',
      'Accept-Encoding': 'gzip,deflate,br',
    },
  ],
  [
    "Gmail's proxy",
    {
      'User-Agent':
        'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      Accept: 'image/*,*/*;q=0.8',
    },
  ],
  ["Yahoo Mail's proxy", { 'User-Agent': 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy' }],
  [
    'Outlook',
    {
      'User-Agent': 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
      'X-Office-Major-Version': '16',
      'Accept-Encoding': 'gzip, deflate',
    },
  ],
  [
    "Apple Mail's privacy proxy",
    { 'User-Agent': 'Mozilla/5.0', Accept: 'image/webp,image/png,image/*;q=0.8', Range: 'bytes=0-' },
  ],
  ['a link preview', { 'User-Agent': 'Slackbot-LinkExpanding 1.0', Range: 'bytes=0-32768', Accept: '*/*' }],
  ['a client that prefetches', { 'Sec-Purpose': 'prefetch', Purpose: 'prefetch', 'X-Moz': 'prefetch' }],
])('%s gets the whole picture of a link, without compression', async (_who, headers) => {
  const url = await make();
  const head = await fetch(url, { method: 'HEAD', headers });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PNG.length)]);
  const answer = await fetch(url, { headers });
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-encoding')]).toEqual(
    [200, 'image/png', null],
  );
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
});

test('the responses to opening a link have the headers that the OpenAPI document describes', async () => {
  const described = z.object({
    security: z.tuple([]),
    responses: z.record(z.string(), z.object({ headers: z.record(z.string(), z.unknown()) })),
  });
  const document = z
    .object({ paths: z.object({ '/c/{token}': z.object({ get: described }) }) })
    .parse(await (await fetch(`${app.url}/openapi.json`)).json());
  const { responses } = document.paths['/c/{token}'].get;
  const url = await make({ expiresInSeconds: 60 });
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  const answers = [
    await fetch(url),
    await fetch(url, { headers: { 'If-None-Match': etag } }),
    await fetch(`${url}x`),
  ];
  app.pass(60_000);
  answers.push(await fetch(url));
  expect(answers.map(({ status }) => status)).toEqual([200, 304, 404, 410]);
  for (const { status, headers } of answers)
    for (const name of Object.keys(responses[status]?.headers ?? { 'not described': '' }))
      expect([status, name, headers.get(name)]).toEqual([status, name, expect.any(String)]);
});
