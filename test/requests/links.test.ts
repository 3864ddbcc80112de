import { createHash } from 'node:crypto';
import { errorBody } from '@signpost/contract';
import { z } from 'zod';
import type { CaptureService } from '../../server/src/capture/capture-service.js';
import { ServiceError } from '../../server/src/platform/errors.js';
import { noCaptures, PICTURE } from '../fixtures/capture/no-captures.js';
import { createKeyOf } from '../fixtures/captures-of-accounts.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { runSignpost } from '../fixtures/signpost-server.js';

const PAGE = 'https://page.example/private-path';
const UNLIMITED = ['--per-minute', 'unlimited', '--per-day', 'unlimited'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let taken = 0;
let failure: ServiceError | undefined;
/** Resolves when the test lets captures continue. */
let hold: Promise<unknown> = Promise.resolve();

/** Takes pictures and PDFs. The content of each has its number among all captures, from 1. */
const inBrowsersPlace = (): Promise<CaptureService> =>
  Promise.resolve({
    ...noCaptures(),
    screenshot: async () => {
      taken += 1;
      const number = taken;
      await hold;
      if (failure !== undefined) throw failure;
      return { ...PICTURE, body: Buffer.from(`picture ${number}`) };
    },
    pdf: () => {
      taken += 1;
      return Promise.resolve({ ...PICTURE, body: Buffer.from(`pdf ${taken}`), pageCount: 1 });
    },
  });

let app: ConsoleApp;
let key: string;

beforeAll(async () => {
  app = await startConsoleApp({}, inBrowsersPlace);
  key = await createKeyOf(app, 'ada@example.org', ...UNLIMITED);
});
afterAll(() => app.close());
beforeEach(() => {
  failure = undefined;
  hold = Promise.resolve();
});

const answerSchema = z.object({ url: z.string(), expiresAt: z.string() });

const post = (body: object, apiKey = key) => app.post('/api/link', body, apiKey);

async function make(more: object = {}, apiKey = key): Promise<string> {
  const answer = await post({ operation: 'captureScreenshot', request: { url: PAGE }, ...more }, apiKey);
  expect(answer.status).toBe(200);
  return answerSchema.parse(await answer.json()).url;
}

const open = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, headers });
const textAt = async (url: string) => (await open(url)).text();
async function signpost(...words: string[]): Promise<void> {
  const { code, stderr } = await runSignpost(app.dataDir, words);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
}

test('a link returns its capture without a key: the same one for refreshSeconds, and then a new one', async () => {
  const url = await make({ refreshSeconds: 60 });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/c\/[\w-]{22}$/u);
  const before = taken;
  const first = await open(url);
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(await first.text()).toBe(`picture ${before + 1}`);
  expect(await textAt(url)).toBe(`picture ${before + 1}`);
  app.pass(60_000);
  expect(await textAt(url)).toBe(`picture ${before + 2}`);
  expect(await textAt(await make({ operation: 'capturePdf' }))).toMatch(/^pdf /u);
});

test('other sites may show a link, caches may store it for five minutes, and clients may ask whether it changed', async () => {
  const url = await make();
  const { headers } = await open(url);
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'public, max-age=300',
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  expect([headers.get('x-frame-options'), headers.get('content-security-policy')]).toEqual([
    null,
    expect.not.stringContaining('frame-ancestors'),
  ]);
  const etag = headers.get('etag') ?? '';
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
    expect((await open(url, { 'If-None-Match': tag })).status).toBe(304);
  expect((await open(url, { 'If-None-Match': '"other"' })).status).toBe(200);
  const head = await open(url, {}, 'HEAD');
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  expect(head.headers.get('content-length')).toBe(String((await (await open(url)).arrayBuffer()).byteLength));
});

test('200 simultaneous viewers of a link, all of them prefetching, cause one capture', async () => {
  const url = await make();
  let goOn: (value?: unknown) => void = () => undefined;
  hold = new Promise((resolve) => {
    goOn = resolve;
  });
  const before = taken;
  const viewers = Array.from({ length: 200 }, () => open(url, { 'Sec-Purpose': 'prefetch' }));
  await new Promise(setImmediate);
  goOn();
  const answers = await Promise.all(viewers);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(taken).toBe(before + 1);
});

test('each capture of a link counts as a request of its key; once the key has no requests left, the link returns the last capture', async () => {
  const poor = await createKeyOf(app, 'poor@example.org', '--per-minute', 'unlimited', '--per-day', '2');
  const url = await make({ refreshSeconds: 60 }, poor);
  const last = await textAt(url);
  app.pass(60_000);
  const answer = await open(url);
  expect([answer.status, await answer.text()]).toEqual([200, last]);
  const rich = await createKeyOf(app, 'once@example.org', '--per-minute', 'unlimited', '--per-day', '1');
  const never = await open(await make({}, rich), { Accept: 'application/json' });
  expect([never.status, Number(never.headers.get('retry-after')) > 0]).toEqual([429, true]);
});

test('a link to a page that fails returns the last capture, and is not tried again for a minute', async () => {
  const url = await make({ refreshSeconds: 60 });
  const last = await textAt(url);
  app.pass(60_000);
  failure = new ServiceError('invalidRequest', 'The page at 10.0.0.1 is at an address that is not allowed.');
  const before = taken;
  expect([await textAt(url), await textAt(url)]).toEqual([last, last]);
  expect(taken).toBe(before + 1);

  const never = await make();
  const answer = await open(never, { Accept: 'application/json' });
  expect(answer.status).toBe(502);
  expect(answer.headers.get('x-signpost-error')).toBe('notCaptured');
  expect(await answer.text()).not.toContain('10.0.0.1');
  failure = undefined;
  expect((await open(never)).status).toBe(502);
  app.pass(60_000);
  expect((await open(never)).status).toBe(200);
});

test('a changed, cut or lengthened token of a link opens nothing', async () => {
  const url = await make();
  const token = url.slice(-22);
  const last = token.at(-1) === 'A' ? 'B' : 'A';
  for (const wrong of [
    token.slice(0, -1),
    token.slice(0, -1) + last,
    `${token}A`,
    token.toUpperCase(),
    'x',
  ]) {
    const answer = await open(url.replace(token, wrong), { Accept: 'application/json' });
    expect([wrong, answer.status]).toEqual([wrong, 404]);
  }
});

test('requests for links that do not exist are throttled, and those for an existing link are not', async () => {
  const url = await make();
  await open(url);
  const statuses = new Set<number>();
  for (let count = 0; count < 310; count += 1)
    statuses.add(
      (await open(url.slice(0, -22) + createHash('md5').update(String(count)).digest('base64url'))).status,
    );
  expect([...statuses]).toEqual([404, 429]);
  expect((await open(url)).status).toBe(200);
  app.pass(60_000);
});

test.each<[string, Record<string, string>, string]>([
  [
    'a browser that opens it',
    { Accept: 'text/html,application/xhtml+xml,image/avif,*/*;q=0.8' },
    'text/html; charset=utf-8',
  ],
  ['a program', { Accept: 'application/json' }, 'application/json; charset=utf-8'],
  ['a picture in a page', { Accept: 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8' }, 'image/png'],
  [
    "Google Sheets' IMAGE",
    {
      'User-Agent': 'Mozilla/5.0 (compatible; GoogleDocs; apps-spreadsheets; http://docs.google.com)',
      Accept: '*/*',
    },
    'image/png',
  ],
  ['a proxy of a mail client', { 'User-Agent': 'GoogleImageProxy' }, 'image/png'],
  [
    'a client that prefers JSON',
    { Accept: 'image/*;q=0.2, application/json' },
    'application/json; charset=utf-8',
  ],
])('an ended link responds to %s with 410, in a suitable format', async (_who, headers, mediaType) => {
  const url = await make({ expiresInSeconds: 60 });
  app.pass(60_000);
  const answer = await open(url, headers);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([410, mediaType]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(20);
});

test('a link opens only while its key works and its account is enabled', async () => {
  const mine = await createKeyOf(app, 'eve@example.org', ...UNLIMITED);
  const prefix = mine.slice(0, 16);
  const url = await make({}, mine);
  const statusNow = async () => (await open(url)).status;
  expect(await statusNow()).toBe(200);
  await signpost('key', 'disable', prefix);
  expect(await statusNow()).toBe(410);
  await signpost('key', 'enable', prefix);
  expect(await statusNow()).toBe(200);
  await signpost('account', 'disable', '--email', 'eve@example.org');
  expect(await statusNow()).toBe(410);
  await signpost('account', 'enable', '--email', 'eve@example.org');
  await signpost('key', 'revoke', prefix);
  expect(await statusNow()).toBe(410);
  const second = await make({}, await createKeyOf(app, 'eva@example.org', ...UNLIMITED));
  await open(second);
  await signpost('account', 'delete', '--email', 'eva@example.org', '--yes');
  expect((await open(second)).status).toBe(404);
});

test('an ended link still responds with 410 a millisecond before 30 days have passed since its end', async () => {
  const url = await make({ expiresInSeconds: 60 });
  app.pass(60_000 + 30 * DAY_MS - 1);
  expect((await open(url)).status).toBe(410);
});

test.each<[object, string]>([
  [{ html: '<p>' }, '"html"'],
  [{ headers: { 'X-Token': 'canary1' } }, '"headers"'],
  [{ cookies: [{ name: 'a', value: 'canary1' }] }, '"cookies"'],
  [{ basicAuth: { username: 'canary1' } }, '"basicAuth"'],
  [{ steps: [{ fill: '#a', value: 'canary1' }] }, '"steps"'],
  [{ clickSelectors: ['#canary1'] }, '"clickSelectors"'],
  [{ url: 'https://ada:canary1@page.example/' }, 'user name'],
  [{ url: 'https://canary1@page.example/' }, 'user name'],
  [{ url: undefined }, '"url"'],
  [{ widht: 300 }, 'width'],
  [{ width: 3 }, 'In "request": "width" must be a whole number'],
  [{ url: 'file:///etc/passwd' }, 'http or https'],
])('making a link rejects the request %j without repeating its secrets', async (more, words) => {
  const answer = await post({ operation: 'captureScreenshot', request: { url: PAGE, ...more } });
  const text = await answer.text();
  expect([answer.status, errorBody.parse(JSON.parse(text)).error]).toEqual([
    400,
    expect.stringContaining(words),
  ]);
  expect(text).not.toContain('canary1');
});

test.each([
  [{ operation: 'readPage' }, 'operation'],
  [{ refreshSeconds: 59 }, 'refreshSeconds'],
  [{ expiresInSeconds: 31_536_001 }, 'expiresInSeconds'],
  [{ request: 'https://page.example/' }, 'must be an object, but is'],
])('making a link rejects the fields %j', async (more, field) => {
  const answer = await post({ operation: 'captureScreenshot', request: { url: PAGE }, ...more });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(field)]);
});

test('neither the token nor the request of a link is stored or logged in plain text', async () => {
  const url = await make();
  await open(url);
  const stored = await app.storedBytes();
  for (const secret of [url.slice(-22), 'private-path']) {
    expect([secret, stored.includes(secret)]).toEqual([secret, false]);
    expect([secret, app.log().includes(secret)]).toEqual([secret, false]);
  }
});
