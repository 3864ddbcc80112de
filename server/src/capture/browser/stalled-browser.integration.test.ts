import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import type { CaptureService } from '../capture-service.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import {
  SAFE_FLAGS,
  startCdpBrowser,
  type RemoteBrowser,
} from '../../../../test/fixtures/capture/remote-browser.js';
import { startStallingRelay, type StallingRelay } from '../../../../test/fixtures/capture/stalling-relay.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

/** How long to try to connect, as a multiple of the time in which a responding browser connects at present. */
const PATIENCE = 4;
const MIN_CONNECT_TIMEOUT_MS = 2_000;

let connectTimeoutMs: number;
let site: PageServer;
let cdp: RemoteBrowser;
/** A browser to which no relay connects: a browser that also has a stalled client would wait for that client. */
let other: RemoteBrowser;
let relay: StallingRelay;
let capture: CaptureService | undefined;

beforeAll(async () => {
  site = await startPageServer({ '/plain': '<title>plain</title><p>here' });
  [cdp, other] = await Promise.all([startCdpBrowser(SAFE_FLAGS), startCdpBrowser(SAFE_FLAGS)]);
  const startedMs = performance.now();
  const first = await startTestCapture({ endpoints: [other.endpoint] });
  connectTimeoutMs = Math.max(MIN_CONNECT_TIMEOUT_MS, PATIENCE * (performance.now() - startedMs));
  expect(first.state().browser).toBe('ready');
  await first.close();
});

beforeEach(async () => {
  relay = await startStallingRelay(cdp);
});

afterEach(async () => {
  // Closes the relay first, so that everything that waits for the browser fails and nothing delays the end of the
  // service.
  await relay.close();
  await capture?.close();
});

afterAll(() => Promise.all([cdp.remove(), other.remove(), site.close()]));

test.each([
  ['before it says what it is', '"result":{"protocolVersion"'],
  ['before a context is open', '"result":{"browserContextId"'],
  ['before a page is open', '"result":{"targetId"'],
  ['before a page can be asked', '"result":{"sessionId"'],
])(
  'a browser that stalls %s blocks neither the start nor the end of the service, nor captures in another browser',
  async (_when, words) => {
    relay.stallAt(words);
    const started = await startTestCapture({
      endpoints: [relay.endpoint, other.endpoint],
      connectTimeoutMs,
    });
    capture = started;

    expect(started.state().endpoints[0]?.problem).toBe('it does not answer');
    await waitUntil('the other one is up', () => started.state().browser === 'ready');
    expect((await shoot(started, site.url('/plain'))).pageStatus).toBe(200);
    await started.close();
  },
);

test('a stalled browser is tried again, and is used once it responds', async () => {
  relay.stallAt('"result":{"browserContextId"');
  const started = await startTestCapture({
    endpoints: [relay.endpoint],
    connectTimeoutMs,
  });
  capture = started;
  expect(started.state().browser).not.toBe('ready');
  relay.stallAt('no such words');
  relay.cut();

  await waitUntil('it is back', () => started.state().browser === 'ready');
  expect((await shoot(started, site.url('/plain'))).pageStatus).toBe(200);
});

test('a capture that waits for a browser ends at its time limit and frees its slot, even if no browser comes', async () => {
  const started = await startTestCapture({ endpoints: [relay.endpoint], concurrency: 1, timeoutMs: 2_000 });
  capture = started;
  relay.stallAt('"result":{"browserContextId"');
  relay.cut();
  await waitUntil('it is connected anew', () => started.state().browser === 'starting');

  expect((await outcome(shoot(started, site.url('/plain')))).kind).toBe('timeout');
  expect(started.state()).toMatchObject({ browser: 'starting', active: 0, queued: 0 });
});

test('a caller who disconnects while waiting for a browser frees its slot', async () => {
  const started = await startTestCapture({ endpoints: [relay.endpoint], concurrency: 1 });
  capture = started;
  relay.stallAt('"result":{"browserContextId"');
  relay.cut();
  await waitUntil('it is connected anew', () => started.state().browser === 'starting');
  const leaving = new AbortController();
  const left = outcome(shoot(started, site.url('/plain'), {}, leaving.signal));
  await waitUntil('it has a slot', () => started.state().active === 1);
  leaving.abort();

  await left.catch(() => undefined);
  expect(started.state()).toMatchObject({ browser: 'starting', active: 0 });
});
