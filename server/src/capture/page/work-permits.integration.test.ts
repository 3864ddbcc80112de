import type { ServerResponse } from 'node:http';
import { operations } from '@signpost/contract';
import { shoot } from '../../../../test/fixtures/capture/outcome.js';
import { type PageServer, startPageServer } from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture, type TestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';

const WINDOW = { width: 400, height: 300 };

let site: PageServer;
let capture: TestCapture;
/** The responses to requests that wait until the test answers them. */
let held: ServerResponse[];

beforeAll(async () => {
  held = [];
  site = await startPageServer({
    '/quick': '<p>words',
    '/reports': '<button onclick="fetch(\'/clicked\')">Go</button>',
    '/with-late-picture': '<p>words<img src="/late.svg">',
    '/with-lazy-picture':
      '<p style="height:3000px">words</p><img loading="lazy" src="/late.svg" height="100">',
    '/late.svg': (_request, response) => void held.push(response),
    '/late-page': (_request, response) => void held.push(response),
  });
  capture = await startTestCapture({ concurrency: 3, atWork: 1 });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

test.each<[string, string, object]>([
  ['for a picture', '/with-late-picture', {}],
  ['for a picture that loads on sight', '/with-lazy-picture', { fullPage: true }],
  ['for its page', '/late-page', {}],
])('while a capture waits %s, another one works', async (_what, path, more) => {
  const late = shoot(capture, site.url(path), { ...WINDOW, ...more });
  await waitUntil('the capture waits', () => held.length === 1);
  expect((await shoot(capture, site.url('/quick'), WINDOW)).pageStatus).toBe(200);
  expect(capture.state()).toMatchObject({ active: 1, working: 0 });
  held.pop()?.end('<p>words');
  expect((await late).isComplete).toBe(true);
  expect(capture.state()).toMatchObject({ active: 0, working: 0 });
});

test.each<[string, object]>([
  ['for a set time', { clickSelectors: ['button'], waitMs: 10_000 }],
  ['for a set time in a step', { steps: [{ click: 'button' }, { waitMs: 10_000 }] }],
  ['for the element of a step', { steps: [{ click: 'button' }, { waitForSelector: '#none' }] }],
])('a capture that waits %s lets others work', async (_what, more) => {
  const clicks = () => site.requestedPaths.filter((path) => path === '/clicked').length;
  const before = clicks();
  const leaving = new AbortController();
  let hasLeft = false;
  const waiting = capture.screenshot(
    operations.captureScreenshot.request.parse({ url: site.url('/reports'), ...more, ...WINDOW }),
    leaving.signal,
  );
  const left = expect(waiting.finally(() => (hasLeft = true))).rejects.toThrow('The connection was closed');
  // While the page of the waiting capture loads, other captures may work in any case.
  await waitUntil('the click is done', () => clicks() > before);
  expect((await shoot(capture, site.url('/quick'), WINDOW)).pageStatus).toBe(200);
  expect(hasLeft).toBe(false);
  leaving.abort();
  await left;
});
