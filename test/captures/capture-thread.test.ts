import { operations } from '@signpost/contract';
import type { CaptureService } from '../../server/src/capture/capture-service.js';
import type { CaptureSettings } from '../../server/src/capture/start-capture.js';
import { queuedForOne } from '../fixtures/capture/start-test-capture.js';
import { loadCaptureThread } from '../../server/src/capture/worker/load-capture-thread.js';
import { ServiceError } from '../../server/src/platform/errors.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { waitUntil } from '../fixtures/wait-until.js';

const BUILT = new URL('../../server/dist/capture/worker/capture-thread.js', import.meta.url);
/** How long a thread may be silent here. A working thread sends thirty heartbeats in this time. */
const SILENCE_MS = 3_000;
const BLOCKED = new URL('../fixtures/blocked-capture-thread.mjs', import.meta.url);
const FAKE = new URL('../fixtures/fake-capture-thread.mjs', import.meta.url);

const settings: CaptureSettings = {
  searchPath: process.env.PATH ?? '',
  endpoints: [],
  concurrency: 1,
  timeoutMs: 20_000,
  allowAddresses: ['127.0.0.1'],
  blockLists: [],
  probeNames: [],
  maxPageHeightPixels: 20_000,
  maxResultBytes: 50_000_000,
  maxMemoryBytes: 1_024_000_000,
  recycleAfter: 100,
  withoutSandbox: process.getuid?.() === 0,
};
const never = new AbortController().signal;
const shot = (url: string) => operations.captureScreenshot.request.parse({ url });
const crash = { ...shot('https://a.example/'), url: 'crash' };

let logged: string[];
const note = (_fields: object, message: string) => logged.push(message);
const log = { debug: note, info: note, warn: note, error: note };

let pages: Pages;
const started: CaptureService[] = [];
const start = async (entry: URL, changes: Partial<CaptureSettings> = {}, silenceMs?: number) => {
  const capture = await loadCaptureThread(log, entry, silenceMs)({ ...settings, ...changes });
  started.push(capture);
  return capture;
};

beforeAll(async () => {
  pages = await servePages({ '/held': () => undefined });
});
beforeEach(() => {
  logged = [];
});
afterEach(() => Promise.all(started.splice(0).map((capture) => capture.close())));
afterAll(() => pages.close());

test('the capture thread returns a screenshot, a PDF and the text of a page, and reports its state', async () => {
  const capture = await start(BUILT);
  expect(capture.state()).toMatchObject({ browser: 'ready', captures: 0 });
  expect(capture.state().program).toMatch(/\d+\.\d+/u);
  const picture = await capture.screenshot(shot(pages.url), never);
  expect(Buffer.isBuffer(picture.body)).toBe(true);
  expect(picture.body.subarray(1, 4).toString()).toBe('PNG');
  expect(picture).toMatchObject({ mediaType: 'image/png', pageStatus: 200 });
  const printed = await capture.pdf(operations.capturePdf.request.parse({ url: pages.url }), never);
  expect(printed.body.subarray(0, 4).toString()).toBe('%PDF');
  expect(printed.pageCount).toBe(1);
  const page = await capture.content(operations.readPage.request.parse({ url: pages.url }), never);
  expect(page).toMatchObject({ url: expect.stringContaining(pages.url), pageStatus: 200, links: null });
  await waitUntil(
    'all captures are counted',
    () => capture.state().captures === 3 && capture.state().active === 0,
  );
});

test('errors of the capture thread keep their kind and message, and those of a full queue say when to retry', async () => {
  const capture = await start(BUILT);
  await expect(capture.screenshot(shot('http://169.254.169.254/'), never)).rejects.toMatchObject({
    name: 'ServiceError',
    kind: 'invalidRequest',
    message: expect.stringMatching(/cannot be captured: .*address/u),
  });
  const queued = queuedForOne(capture, 2);
  const held = Array.from({ length: 3 }, () => {
    const caller = new AbortController();
    return { caller, answer: queued.screenshot(shot(`${pages.url}/held`), caller.signal) };
  });
  await waitUntil('two wait', () => queued.state().queued === 2);
  await expect(queued.screenshot(shot(pages.url), never)).rejects.toMatchObject({
    kind: 'overloaded',
    retryAfterSeconds: expect.any(Number),
  });
  for (const { caller } of held) caller.abort();
  for (const { answer } of held) await expect(answer).rejects.toBeInstanceOf(ServiceError);
  expect(queued.state()).toMatchObject({ active: 0, queued: 0 });
  await waitUntil('nothing is under way', () => capture.state().active === 0);
});

test('an allowed page is captured although its address is not public', async () => {
  const capture = await start(BUILT, { allowAddresses: [] });
  await expect(capture.screenshot(shot(pages.url), never)).rejects.toBeInstanceOf(ServiceError);
  capture.allowPage(`${pages.url}/`);
  await expect(capture.screenshot(shot(pages.url), never)).resolves.toMatchObject({ pageStatus: 200 });
});

test('closing the capture service finishes a running capture and rejects later ones', async () => {
  const capture = await start(BUILT);
  const taken = capture.screenshot(shot(pages.url), never);
  await waitUntil('it is under way', () => capture.state().active === 1);
  await capture.close();
  await expect(taken).resolves.toMatchObject({ pageStatus: 200 });
  await expect(capture.screenshot(shot(pages.url), never)).rejects.toMatchObject({ kind: 'overloaded' });
});

test('an error that prevents the start of the capture thread keeps its message', async () => {
  const endpoints = [{ kind: 'cdp', url: 'http://127.0.0.1:9/', label: 'x', isLoopback: true }] as const;
  const unusable = { ...settings, endpoints, guardAddress: { host: '192.0.2.1', port: 0 } };
  await expect(loadCaptureThread(log, BUILT)(unusable)).rejects.toMatchObject({
    name: 'ServiceError',
    message: expect.stringContaining('192.0.2.1'),
  });
});

test('a capture service can be closed while its crashed thread is being replaced, and then rejects captures', async () => {
  const capture = await start(FAKE);
  await expect(capture.screenshot(crash, never)).rejects.toMatchObject({ kind: 'internal' });
  await capture.close();
  await expect(capture.screenshot(crash, never)).rejects.toMatchObject({ kind: 'overloaded' });
  expect(capture.state()).toMatchObject({ browser: 'starting', restarts: 1 });
});

test('a capture service whose thread crashes while closing still closes, and logs that it did not end properly', async () => {
  const capture = await start(FAKE);
  const failing = expect(capture.screenshot(crash, never)).rejects.toMatchObject({ kind: 'internal' });
  await Promise.all([capture.close(), capture.close()]);
  await failing;
  expect(logged).toContain('The capture service did not end properly.');
});

test('the start of a capture thread whose file does not exist fails with an error that names the file', async () => {
  const missing = new URL('../fixtures/there-is-no-such-thread.mjs', import.meta.url);
  const startCapture = loadCaptureThread(log, missing);
  await expect(startCapture(settings)).rejects.toThrow(/there-is-no-such-thread/u);
  // The second call finds that the thread has already ended.
  await expect(startCapture(settings)).rejects.toThrow(/there-is-no-such-thread/u);
});

test('a blocked capture thread is noticed, and its capture fails', async () => {
  const capture = await start(BLOCKED, {}, SILENCE_MS);
  capture.allowPage('http://a.example/');
  await expect(capture.screenshot(shot(pages.url), never)).rejects.toMatchObject({ kind: 'internal' });
});

test.each([
  ['crashes', crash],
  ['stands still', { ...crash, url: 'stand still' }],
])('a thread that %s fails its running capture and is replaced by another', async (_what, ending) => {
  const capture = await start(FAKE, {}, SILENCE_MS);
  capture.allowPage('http://allowed.example/');
  const before = await capture.screenshot(shot('https://a.example/'), never);
  expect(before.body.toString()).toBe('http://allowed.example/');
  await expect(capture.screenshot(ending, never)).rejects.toMatchObject({
    kind: 'internal',
    message: expect.stringContaining('is restarting. Try again'),
  });
  await expect(capture.screenshot(crash, never)).rejects.toMatchObject({ kind: 'overloaded' });
  expect(logged).toEqual([expect.stringContaining('is restarting')]);
  let after: string | undefined;
  await waitUntil('another thread answers', async () => {
    after = await capture.screenshot(shot('https://a.example/'), never).then(
      ({ body }) => body.toString(),
      () => undefined,
    );
    return after !== undefined;
  });
  expect(after).toBe('http://allowed.example/');
});

test('a capture that waits while the thread is replaced is taken by the next thread', async () => {
  const capture = queuedForOne(await start(FAKE, {}, SILENCE_MS), 2);
  const failing = expect(capture.screenshot(crash, never)).rejects.toMatchObject({ kind: 'internal' });
  const waiting = capture.screenshot(shot('https://a.example/'), never);
  await waitUntil('it waits', () => capture.state().queued === 1);
  await failing;
  await expect(waiting).resolves.toMatchObject({ pageStatus: 200 });
  expect(capture.state()).toMatchObject({ active: 0, queued: 0, restarts: 1 });
});
