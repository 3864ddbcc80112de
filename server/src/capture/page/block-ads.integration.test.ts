import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureScreenshotRequest } from '@signpost/contract';
import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { never, print, read, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { textOf } from '../../../../test/fixtures/capture/pdf-contents.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

const GREEN = [0, 128, 0];
const RED = [200, 0, 0];
const BLUE = [0, 0, 255];

const COVER = 'position:fixed;inset:0;background:rgb(200,0,0);border:0;width:100%;height:100%';
const page = (body: string) =>
  `<!doctype html><style>body{margin:0;background:green}</style><p>The text of the page.</p>${body}`;

const BANNER = `<script src="/ad-server/paint.js"></script><div role="dialog" style="${COVER}">
  <p>We use cookies and similar technologies to personalise content, to offer advertising and to analyse our traffic.</p>
  <button>Accept all</button><button onclick="document.body.style.background = 'blue'; this.parentElement.remove()">Reject all</button></div>`;

const LIST = `[Adblock Plus 2.0]
! A list of the operator's.
/ad-server/
##.promotion-of-the-day
@@/ad-server/allowed.js`;

let folder: string;
let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-lists-'));
  const list = join(folder, 'list.txt');
  await writeFile(list, LIST);
  const paint = `document.body.style.background = 'rgb(200,0,0)'`;
  site = await startPageServer({
    '/script': page('<script src="/ad-server/paint.js"></script>'),
    '/allowed': page('<script src="/ad-server/allowed.js"></script>'),
    '/ad-server/paint.js': (_request, response) => response.end(paint),
    '/ad-server/allowed.js': (_request, response) => response.end(paint),
    '/frame': page(`<iframe src="/ad-server/frame" style="${COVER}"></iframe>`),
    '/ad-server/frame': page('<style>body { background: rgb(200,0,0) }</style>'),
    '/named-by-the-operator': page(`<div class="promotion-of-the-day" style="${COVER}">Buy!</div>`),
    '/named-by-all': page(`<div id="ad-banner" style="${COVER}">Buy!</div>`),
    '/endless': page(`<div id="ad-banner" style="${COVER}"></div><img src="/never">`),
    '/never': () => undefined,
    '/ad-server/page': page(''),
    '/banner': page(BANNER),
    '/private': (request, response) => {
      response.setHeader('content-type', 'text/html');
      const isTold = request.headers['x-token'] === 'given';
      response.end(page(isTold ? '' : `<div style="${COVER}"></div>`));
    },
  });
  capture = await startTestCapture({ blockLists: [list] });
});

afterAll(async () => {
  await capture.close();
  await site.close();
  await rm(folder, { recursive: true });
});

const blocking = { blockAds: true };

const colourOf = async (path: string, options: Record<string, unknown> = {}) =>
  decodePng((await shoot(capture, site.url(path), options)).body).at(100, 50);

test.each([
  ["scripts of the operator's lists do not run", '/script'],
  ['blocked frames take no room', '/frame'],
  ["elements of the operator's lists are hidden", '/named-by-the-operator'],
  ['elements of the shipped list are hidden', '/named-by-all'],
])('captures a page without advertisements: %s', async (_what, path) => {
  expect(await colourOf(path)).toEqual(RED);
  expect(await colourOf(path, blocking)).toEqual(GREEN);
});

test('does not request a blocked resource', async () => {
  const before = site.requestedPaths.length;
  await shoot(capture, site.url('/script'), blocking);
  expect(site.requestedPaths.slice(before)).toEqual(['/script']);
});

test('requests what a list excepts, and the captured page itself even if a list blocks it', async () => {
  expect(await colourOf('/allowed', blocking)).toEqual(RED);
  expect(await colourOf('/ad-server/page', blocking)).toEqual(GREEN);
});

test('with blockAds, texts and PDFs contain no advertisements', async () => {
  const url = site.url('/named-by-all');
  const { content } = await read(capture, url, { ...blocking, mainContentOnly: false });
  expect(content).toBe('The text of the page.');
  expect(await textOf((await print(capture, url)).body)).toMatch(/The text of the page\.\s+Buy!/u);
  expect(await textOf((await print(capture, url, blocking)).body)).toBe('The text of the page.');
});

test('with blockAds, a page that takes too long is captured without its advertisements', async () => {
  const late = { timeoutMs: 2_000, onTimeout: 'capture' };
  expect(await colourOf('/endless', late)).toEqual(RED);
  expect(await colourOf('/endless', { ...late, ...blocking })).toEqual(GREEN);
});

test('with blockAds, a request still gets the header in the option "headers"', async () => {
  expect(await colourOf('/private', { ...blocking, headers: { 'X-Token': 'given' } })).toEqual(GREEN);
});

test('with blockAds, cookie banners are still closed if requested', async () => {
  expect(await colourOf('/banner', blocking)).not.toEqual(BLUE);
  expect(await colourOf('/banner', { ...blocking, blockCookieBanners: true })).toEqual(BLUE);
});

test('with blockAds, HTML in a request is captured without the advertisements that it embeds', async () => {
  const { body } = await capture.screenshot(
    captureScreenshotRequest.parse({
      html: page('<script src="/ad-server/paint.js"></script>'),
      baseUrl: site.url('/'),
      width: 200,
      height: 100,
      ...blocking,
    }),
    never(),
  );
  expect(decodePng(body).at(100, 50)).toEqual(GREEN);
});
