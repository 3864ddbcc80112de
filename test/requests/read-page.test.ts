import { readPageResponse, usageStatistics } from '@signpost/contract';
import type { CaptureService } from '../../server/src/capture/capture-service.js';
import { ServiceError } from '../../server/src/platform/errors.js';
import { noCaptures } from '../fixtures/capture/no-captures.js';
import { pageText } from '../fixtures/capture/page-text.js';
import { addKey, createKeyOf } from '../fixtures/captures-of-accounts.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { runSignpost } from '../fixtures/signpost-server.js';

const UNLIMITED = ['--per-minute', 'unlimited', '--per-day', 'unlimited'];
const URL = 'https://page.example/';

/** The addresses of the pages that were read, in order. */
const asked: string[] = [];

/** Reads pages. The content of each repeats its number among all pages that were read, from 1. */
const inBrowsersPlace = (): Promise<CaptureService> =>
  Promise.resolve({
    ...noCaptures(),
    content: ({ url = '' }) => {
      if (url.endsWith('/slow'))
        return Promise.reject(new ServiceError('timeout', 'The page was not complete.'));
      asked.push(url);
      return Promise.resolve(pageText({ url, content: String(asked.length).repeat(1_000) }));
    },
  });

let app: ConsoleApp;
let key: string;
let secondKey: string;
let strangersKey: string;

beforeAll(async () => {
  app = await startConsoleApp({}, inBrowsersPlace);
  key = await createKeyOf(app, 'ada@example.org', ...UNLIMITED);
  secondKey = await addKey(app, 'ada@example.org', ...UNLIMITED);
  strangersKey = await createKeyOf(app, 'eve@example.org', ...UNLIMITED);
});
afterAll(() => app.close());

async function read(more: object, apiKey = key) {
  const answer = await app.post('/api/content', { url: URL, maxCharacters: 600, ...more }, apiKey);
  const { result } = readPageResponse.parse(await answer.json());
  return { ...result, captureTimeMs: answer.headers.get('X-Capture-Time-Ms') };
}

async function requestsOf(apiKey: string) {
  const answer = await app.get('/api/usage', apiKey);
  return usageStatistics.parse(await answer.json()).totalRequests;
}

test('each part of a page counts as a request, and the page is read once for all keys of an account', async () => {
  const before = await requestsOf(key);
  const first = await read({});
  expect(first).toMatchObject({ characters: 1_000, nextOffset: 600, captureTimeMs: '7' });
  const rest = await read({ offset: 600 });
  expect(rest).toMatchObject({ content: first.content.slice(0, 400), nextOffset: null, captureTimeMs: '0' });
  expect(await requestsOf(key)).toBe(before + 3);
  expect((await read({ offset: 600 }, secondKey)).content).toBe(rest.content);
  expect(asked).toEqual([URL]);
});

test('an account does not get a page that was cached for another account', async () => {
  const { content } = await read({});
  const times = asked.length;
  expect((await read({ offset: 600 }, strangersKey)).content).not.toContain(content.slice(0, 1));
  expect(asked).toHaveLength(times + 1);
});

test('the cached page of an account is not returned once the account is disabled', async () => {
  expect((await read({}, strangersKey)).nextOffset).toBe(600);
  const times = asked.length;
  const disabled = await runSignpost(app.dataDir, ['account', 'disable', '--email', 'eve@example.org']);
  expect(disabled.code).toBe(0);
  const late = await app.post('/api/content', { url: URL, offset: 600 }, strangersKey);
  expect(late.status).toBe(401);
  expect(asked).toHaveLength(times);
});

test('a page that is not complete in time is a 504 that says so, and its slot is free again', async () => {
  const refused = await app.post('/api/content', { url: `${URL}slow` }, key);
  expect([refused.status, await refused.json()]).toEqual([504, { error: 'The page was not complete.' }]);
  expect(refused.headers.get('X-Capture-Time-Ms')).toBeNull();
  expect(await read({})).toMatchObject({ characters: 1_000 });
  expect(app.app.capture.state()).toMatchObject({ active: 0, queued: 0 });
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  expect(metrics).toMatch(/signpost_captures_total\{kind="content",outcome="timeout"\} 1/u);
});

test('invalid input for reading a page is a 400 that names each wrong field', async () => {
  const answer = await app.post('/api/content', { url: URL, format: 'md', maxCharacters: 10 }, key);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      error: expect.stringMatching(
        /^"format" must be one of "markdown", "text", "html".*; "maxCharacters" must be a whole number from 500 to 500000, but is 10\.$/u,
      ),
    },
  ]);
});
