import { waitUntil } from '../fixtures/wait-until.js';
import type { CaptureService } from '../../server/src/capture/capture-service.js';
import { outcome, print, shoot } from '../fixtures/capture/outcome.js';
import { startPageServer, type Handler, type PageServer } from '../fixtures/capture/page-server.js';
import {
  endpointAt,
  SAFE_FLAGS,
  startCdpBrowser,
  type RemoteBrowser,
} from '../fixtures/capture/remote-browser.js';
import { startTestCapture } from '../fixtures/capture/start-test-capture.js';
import { connectBrowser } from '../../server/src/capture/browser/connect-browser.js';

/** Requests for /held wait until the test releases them. */
const held: (() => void)[] = [];
const hold: Handler = (_request, response) => {
  held.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>released'));
};
const untilHeld = (count: number) => waitUntil(`${count} are held`, () => held.length >= count);
const release = () => held.splice(0).forEach((go) => go());

const logged: string[] = [];
const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
const log = { debug: note, info: note, warn: note, error: note };
const PLACES = 4;
const QUICK_HEALTH = { everyMs: 100, timeoutMs: 1_000 };

let site: PageServer;
let cdp: RemoteBrowser;
let other: RemoteBrowser;
const services: CaptureService[] = [];
const remotes: RemoteBrowser[] = [];

const start = async (...endpoints: RemoteBrowser['endpoint'][]) => {
  const service = await startTestCapture({ endpoints, concurrency: PLACES, health: QUICK_HEALTH, log });
  services.push(service);
  return service;
};
const own = async (starting: Promise<RemoteBrowser>) => {
  const remote = await starting;
  remotes.push(remote);
  return remote;
};
const stateOf = (service: CaptureService, { endpoint }: RemoteBrowser) =>
  service.state().endpoints.find(({ name }) => name === endpoint.label);
const statuses = async (captures: readonly Promise<{ pageStatus: number }>[]) =>
  (await Promise.all(captures)).map(({ pageStatus }) => pageStatus);

beforeAll(async () => {
  site = await startPageServer({ '/plain': '<title>plain</title><p>here', '/held': hold });
  [cdp, other] = await Promise.all([startCdpBrowser(SAFE_FLAGS), startCdpBrowser(SAFE_FLAGS)]);
});

afterEach(async () => {
  release();
  await Promise.all(services.splice(0).map((service) => service.close()));
  await Promise.all(remotes.splice(0).map((remote) => remote.remove()));
  logged.length = 0;
});

afterAll(() => Promise.all([cdp.remove(), other.remove(), site.close()]));

test('four captures are spread evenly across two browsers', async () => {
  const capture = await start(cdp.endpoint, other.endpoint);
  const captures = Array.from({ length: 4 }, () => shoot(capture, site.url('/held')));
  await untilHeld(4);

  expect(capture.state().endpoints.map(({ active }) => active)).toEqual([2, 2]);
  expect(capture.state().program).toMatch(
    /^2 of 2 remote browsers, 127\.0\.0\.1:\d+ \(\d+.*127\.0\.0\.1:\d+ \(\d+/u,
  );
  release();
  expect(await statuses(captures)).toEqual([200, 200, 200, 200]);
  expect((await print(capture, site.url('/plain'))).pageCount).toBe(1);
});

test('captures leave only pages opened in advance, and closing the capture service leaves none', async () => {
  const browser = await own(startCdpBrowser(SAFE_FLAGS));
  const watching = await connectBrowser(browser.endpoint);
  const { protocol } = watching;
  const pages = async () => {
    const { targetInfos } = await protocol.send('Target.getTargets');
    return targetInfos.filter(({ type }) => type === 'page').length;
  };
  const itsOwn = await pages();
  const capture = await start(browser.endpoint);
  await statuses(Array.from({ length: 3 * PLACES }, () => shoot(capture, site.url('/plain'))));
  await waitUntil('the pages of captures are closed', async () => (await pages()) <= itsOwn + PLACES);

  await capture.close();
  await waitUntil('all pages of ours are closed', async () => (await pages()) === itsOwn);
  expect(await protocol.send('Target.getBrowserContexts')).toMatchObject({ browserContextIds: [] });
  await watching.close();
});

test('killing one of two browsers fails no capture, and the killed one is ready again once it is restarted', async () => {
  const lost = await own(startCdpBrowser(SAFE_FLAGS));
  const capture = await start(lost.endpoint, cdp.endpoint);
  const captures = Array.from({ length: 4 }, () => shoot(capture, site.url('/held')));
  await untilHeld(4);
  await lost.signal('SIGKILL');
  // The captures of the lost browser request their pages again.
  await untilHeld(6);
  const later = shoot(capture, site.url('/plain'));
  await waitUntil('it is down', () => stateOf(capture, lost)?.browser === 'down');
  release();

  expect(await statuses([...captures, later])).toEqual([200, 200, 200, 200, 200]);
  // The first attempt may still find the browser while it shuts down.
  await waitUntil('nothing listens', () => stateOf(capture, lost)?.problem === 'nothing listens there');
  expect(capture.state().browser).toBe('ready');
  const again = await own(startCdpBrowser(SAFE_FLAGS, lost.port));
  await waitUntil('it is back', () => stateOf(capture, again)?.browser === 'ready');
  expect(await statuses([1, 2].map(() => shoot(capture, site.url('/plain'))))).toEqual([200, 200]);
});

test('a browser that stops responding is abandoned, and its captures are taken in another', async () => {
  const stuck = await own(startCdpBrowser(SAFE_FLAGS));
  const capture = await start(stuck.endpoint, cdp.endpoint);
  const captures = Array.from({ length: 2 }, () => shoot(capture, site.url('/held')));
  await untilHeld(2);
  await stuck.signal('SIGSTOP');
  await untilHeld(3);
  release();

  expect(await statuses(captures)).toEqual([200, 200]);
  expect(logged.join('\n')).toContain(`The browser at ${stuck.endpoint.label} does not answer any more`);
  expect(stateOf(capture, stuck)?.browser).not.toBe('ready');
  await stuck.signal('SIGCONT');
  await waitUntil('it is back', () => stateOf(capture, stuck)?.browser === 'ready');
});

test('if the only remote browser is down, captures are rejected, and accepted again once it is back', async () => {
  const only = await own(startCdpBrowser(SAFE_FLAGS));
  const capture = await start(only.endpoint);
  await only.signal('SIGKILL');
  await waitUntil('it is down', () => capture.state().browser === 'down');

  await expect(shoot(capture, site.url('/plain'))).rejects.toMatchObject({
    kind: 'overloaded',
    message: expect.stringMatching(/^None of the remote browsers can be used/u),
    retryAfterSeconds: expect.any(Number),
  });
  await own(startCdpBrowser(SAFE_FLAGS, only.port));
  await waitUntil('it is back', () => capture.state().browser === 'ready');
  expect((await shoot(capture, site.url('/plain'))).pageStatus).toBe(200);
});

test('with one of two browsers down, captures beyond the slots of the other wait for the first', async () => {
  const absent = await own(startCdpBrowser(SAFE_FLAGS));
  await absent.signal('SIGKILL');
  const capture = await start(absent.endpoint, cdp.endpoint);
  const captures = Array.from({ length: 3 }, () => shoot(capture, site.url('/held')));
  await untilHeld(2);

  expect(capture.state()).toMatchObject({ browser: 'ready', active: 2, queued: 1 });
  await own(startCdpBrowser(SAFE_FLAGS, absent.port));
  await untilHeld(3);
  expect(capture.state().endpoints.map(({ active }) => active)).toEqual([1, 2]);
  release();
  expect(await statuses(captures)).toEqual([200, 200, 200]);
});

test('a browser whose WebRTC bypasses the guard is not used, and the message names the flag to set', async () => {
  const unsafe = await own(startCdpBrowser([]));
  const capture = await start(unsafe.endpoint);

  expect(capture.state().endpoints[0]?.problem).toContain(
    'start it with --force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  );
  expect((await outcome(shoot(capture, site.url('/plain')))).kind).toBe('overloaded');
});

test('an address without a browser is reported as such, without revealing a token in it', async () => {
  const wrong = [
    endpointAt(`cdp+ws://127.0.0.1:${cdp.port}/?token=hush`),
    endpointAt(`${site.url('/')}?token=hush`),
    endpointAt('cdp+ws://127.0.0.1:1/?token=hush'),
  ];
  const capture = await start(...wrong);

  const problems = capture.state().endpoints.map(({ problem }) => problem);
  expect(problems[0]).toMatch(/does not answer as a DevTools address; .* http:\/\/127\.0\.0\.1:9222/u);
  expect(problems[1]).toMatch(/does not answer as a DevTools address/u);
  expect(problems[2]).toMatch(/nothing listens there/u);
  const told = [...problems, ...logged, JSON.stringify(capture.state())].join('\n');
  expect(told).not.toContain('hush');
});

test('captures go through a guard that requires credentials', async () => {
  const capture = await startTestCapture({
    endpoints: [cdp.endpoint, other.endpoint],
    guardAddress: { host: '127.0.0.3', port: 0 },
    log,
  });
  services.push(capture);

  expect(capture.state().endpoints.map(({ problem }) => problem)).toEqual([undefined, undefined]);
  expect(await statuses([1, 2, 3, 4].map(() => shoot(capture, site.url('/plain'))))).toEqual([
    200, 200, 200, 200,
  ]);
});
