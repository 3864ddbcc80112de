import { usageStatistics } from '@signpost/contract';
import type { CaptureService } from '../../server/src/capture/capture-service.js';
import { ResponseCache } from '../../server/src/operations/response-cache.js';
import { noCaptures, PICTURE } from '../fixtures/capture/no-captures.js';
import { pageText } from '../fixtures/capture/page-text.js';
import { addKey, createKeyOf } from '../fixtures/captures-of-accounts.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { runSignpost } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';

const UNLIMITED = ['--per-minute', 'unlimited', '--per-day', 'unlimited'];
const URL = 'https://page.example/';
const MINUTE_MS = 60_000;
/** The size of each picture. Two of them exceed the size of the cache. */
const PICTURE_BYTES = 600_000;

let taken = 0;

/** Takes pictures and PDFs. The content of each is its number among all captures, from 1. */
const inBrowsersPlace = (): Promise<CaptureService> =>
  Promise.resolve({
    ...noCaptures(),
    screenshot: () => {
      taken += 1;
      return Promise.resolve({ ...PICTURE, body: Buffer.from(String(taken).padEnd(PICTURE_BYTES)) });
    },
    pdf: () => {
      taken += 1;
      return Promise.resolve({ ...PICTURE, body: Buffer.from(String(taken)), pageCount: 1 });
    },
    content: ({ url = '' }) => Promise.resolve(pageText({ url })),
  });

let app: ConsoleApp;
let key: string;
let everyMinute: (() => void)[];

beforeAll(async () => {
  const intervals = jest.spyOn(globalThis, 'setInterval');
  app = await startConsoleApp({ SIGNPOST_CACHE_MEGABYTES: '1' }, inBrowsersPlace);
  everyMinute = intervals.mock.calls.flatMap(([look, ms]) => (ms === MINUTE_MS ? [() => look()] : []));
  intervals.mockRestore();
  key = await createKeyOf(app, 'ada@example.org', ...UNLIMITED);
});
afterAll(() => app.close());

async function capture(path: string, more: object = {}, apiKey = key) {
  const answer = await app.post(path, { url: URL, maxAgeSeconds: 600, ...more }, apiKey);
  return {
    number: Number((await answer.text()).trim()),
    age: answer.headers.get('Age'),
    cache: answer.headers.get('X-Cache'),
  };
}
const shoot = (more?: object, apiKey?: string) => capture('/api/screenshot', more, apiKey);
const print = (more?: object, apiKey?: string) => capture('/api/pdf', more, apiKey);

async function requestsOf(apiKey: string) {
  const answer = await app.get('/api/usage', apiKey);
  return usageStatistics.parse(await answer.json()).totalRequests;
}

test('a picture and a PDF of one page are each served from the cache with their age, and each request counts', async () => {
  const before = await requestsOf(key);
  const [picture, pdf] = [await shoot(), await print()];
  expect([picture.number, pdf.number]).toEqual([1, 2]);
  expect(picture).toMatchObject({ age: '0', cache: 'miss' });
  app.pass(30_000);

  for (const [again, first] of [
    [await shoot(), picture],
    [await print(), pdf],
  ] as const) {
    expect(again).toMatchObject({ number: first.number, cache: 'hit' });
    expect(Number(again.age)).toBeGreaterThanOrEqual(30);
  }
  expect(await requestsOf(key)).toBe(before + 5);
  const unkept = await shoot({ maxAgeSeconds: 0 });
  expect(unkept).toEqual({ number: 3, age: null, cache: null });
});

test('cached captures are shared by all keys of an account, and with no other account', async () => {
  const path = { url: `${URL}shared` };
  const first = await shoot(path);
  const second = await shoot(path, await addKey(app, 'ada@example.org', ...UNLIMITED));
  const other = await shoot(path, await createKeyOf(app, 'bob@example.org', ...UNLIMITED));

  expect(second).toMatchObject({ number: first.number, cache: 'hit' });
  expect(other).toMatchObject({ number: first.number + 1, cache: 'miss' });
});

test('at most SIGNPOST_CACHE_MEGABYTES are cached, and the newest capture stays', async () => {
  const caches = [];
  for (const page of ['one', 'one', 'two', 'two', 'one'])
    caches.push((await shoot({ url: URL + page })).cache);

  expect(caches).toEqual(['miss', 'hit', 'miss', 'hit', 'miss']);
});

test('cached captures of a deleted account are removed within a minute', async () => {
  const keeping = jest.spyOn(ResponseCache.prototype, 'keep');
  const evesKey = await createKeyOf(app, 'eve@example.org', ...UNLIMITED);
  await shoot({}, evesKey);
  await app.post('/api/content', { url: URL, maxAgeSeconds: 600 }, evesKey);
  const [accountId] = keeping.mock.calls[0] ?? [];
  const stores = keeping.mock.contexts.filter((store) => store instanceof ResponseCache);
  const holding = () => stores.filter((store) => store.accountIds().includes(String(accountId))).length;
  expect(holding()).toBe(2);

  await runSignpost(app.dataDir, ['account', 'delete', '--email', 'eve@example.org', '--yes']);
  for (const look of everyMinute) look();
  await waitUntil('nothing is kept for the account', () => holding() === 0);
  keeping.mockRestore();
});
