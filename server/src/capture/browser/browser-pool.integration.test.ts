import { access } from 'node:fs/promises';
import type { CaptureService } from '../capture-service.js';
import { browserProcesses, profileFolders } from '../../../../test/fixtures/capture/browser-processes.js';
import { outcome, print, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  startPageServer,
  type Handler,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

/** Functions that answer the waiting requests for /held. */
const held: (() => void)[] = [];
const onHeld: (() => void)[] = [];
const hold: Handler = (_request, response) => {
  held.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>released'));
  onHeld.splice(0).forEach((notify) => notify());
};
const untilHeld = async (count: number) => {
  while (held.length < count) await new Promise<void>((resolve) => onHeld.push(resolve));
};
const release = () => held.splice(0).forEach((go) => go());

const remember: Handler = (request, response) => {
  response.writeHead(200, {
    'content-type': 'text/html',
    'set-cookie': 'seen=1',
    'cache-control': 'max-age=9999',
  });
  response.end(`<title>x</title><p id="p">${request.headers.cookie === undefined ? 'fresh' : 'seen'}</p><script>
    if (localStorage.seen) document.getElementById('p').textContent = 'seen';
    localStorage.seen = 1;
  </script><img src="/cached.png">`);
};

let site: PageServer;
const services: CaptureService[] = [];
const start = async (options: Parameters<typeof startTestCapture>[0]) => {
  const service = await startTestCapture(options);
  services.push(service);
  return service;
};

beforeAll(async () => {
  site = await startPageServer({
    '/plain': '<title>plain</title><p>here',
    '/held': hold,
    '/remember': remember,
    '/cached.png': (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'max-age=9999' }).end();
    },
  });
});

afterEach(async () => {
  release();
  await Promise.all(services.splice(0).map((service) => service.close()));
});

afterAll(() => site.close());

test('a capture is rejected at once if the queue is full, and all earlier ones succeed', async () => {
  const capture = await start({ concurrency: 1, queue: 1 });
  const running = shoot(capture, site.url('/held'));
  await untilHeld(1);
  const waiting = shoot(capture, site.url('/plain'));
  const refused = await shoot(capture, site.url('/plain')).catch((error: unknown) => error);

  expect(refused).toMatchObject({ kind: 'overloaded', retryAfterSeconds: expect.any(Number) });
  expect(capture.state()).toMatchObject({ active: 1, queued: 1 });
  release();
  expect([(await running).pageStatus, (await waiting).pageStatus]).toEqual([200, 200]);
  expect(capture.state()).toMatchObject({ active: 0, queued: 0 });
});

test('if its caller disconnects, a running or queued capture fails, and the next one gets the slot', async () => {
  const capture = await start({ concurrency: 1, queue: 2 });
  const leaving = new AbortController();
  const running = shoot(capture, site.url('/held'), {}, leaving.signal);
  await untilHeld(1);
  const leavingTheQueue = new AbortController();
  const queued = shoot(capture, site.url('/plain'), {}, leavingTheQueue.signal);
  const next = shoot(capture, site.url('/plain'));
  leavingTheQueue.abort();
  leaving.abort();

  await expect(running).rejects.toThrow();
  await expect(queued).rejects.toThrow();
  expect((await next).pageStatus).toBe(200);
  expect(capture.state()).toMatchObject({ active: 0, queued: 0 });
});

test('two captures share no cookies, no local storage and no cache', async () => {
  const capture = await start({});
  const before = site.requestedPaths.length;
  const first = await shoot(capture, site.url('/remember'));
  const second = await shoot(capture, site.url('/remember'));

  expect(second.body.equals(first.body)).toBe(true);
  expect(site.requestedPaths.slice(before).filter((path) => path === '/cached.png')).toHaveLength(2);
  expect(site.requestedPaths.slice(before).filter((path) => path === '/remember')).toHaveLength(2);
});

test('a browser is replaced after a set number of captures, and no capture fails', async () => {
  const capture = await start({ concurrency: 2, recycleAfter: 3 });
  const captures = Array.from({ length: 10 }, () => shoot(capture, site.url('/plain')));

  expect((await Promise.all(captures)).map(({ pageStatus }) => pageStatus)).toEqual(Array(10).fill(200));
  expect(capture.state().restarts).toBeGreaterThanOrEqual(2);
});

test('killing the browser fails neither running nor waiting captures', async () => {
  const capture = await start({ concurrency: 1, queue: 5 });
  const running = shoot(capture, site.url('/held'));
  await untilHeld(1);
  const waiting = [shoot(capture, site.url('/plain')), print(capture, site.url('/plain'))];
  const killed = await browserProcesses();
  for (const { pid } of killed) process.kill(pid, 'SIGKILL');
  await untilHeld(2);
  release();

  expect((await running).pageStatus).toBe(200);
  expect((await Promise.all(waiting)).map(({ pageStatus }) => pageStatus)).toEqual([200, 200]);
  expect(capture.state()).toMatchObject({ browser: 'ready', restarts: 1 });
  await capture.close();
  for (const folder of profileFolders(killed)) await expect(access(folder)).rejects.toThrow();
});

test('requests for a window that is too large do not make the browser count as stuck', async () => {
  const warnings: string[] = [];
  const ignore = () => undefined;
  const warn = (_fields: object, message: string) => void warnings.push(message);
  const capture = await start({ log: { debug: ignore, info: ignore, warn, error: warn } });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { kind } = await outcome(shoot(capture, site.url('/plain'), { width: 7_680, scaleFactor: 3 }));
    expect(kind).toBe('invalidRequest');
  }
  expect((await shoot(capture, site.url('/plain'))).pageStatus).toBe(200);
  expect(warnings).not.toContainEqual(expect.stringContaining('does not open pages'));
});

test('a stuck browser is replaced without failing running or new captures', async () => {
  const capture = await start({ concurrency: 2 });
  const running = shoot(capture, site.url('/held'));
  await untilHeld(1);
  for (const { pid } of await browserProcesses()) process.kill(pid, 'SIGSTOP');
  const coming = shoot(capture, site.url('/plain'));
  await untilHeld(2);
  release();

  expect([(await running).pageStatus, (await coming).pageStatus]).toEqual([200, 200]);
  expect(capture.state()).toMatchObject({ browser: 'ready', restarts: 1 });
  await capture.close();
  expect(await browserProcesses()).toEqual([]);
});

test('closing finishes accepted captures, rejects new ones, and leaves no browser and no profile', async () => {
  const capture = await start({ concurrency: 1, queue: 5 });
  const running = shoot(capture, site.url('/held'));
  await untilHeld(1);
  const waiting = shoot(capture, site.url('/plain'));
  const folders = profileFolders(await browserProcesses());
  const closed = capture.close();
  const late = await outcome(shoot(capture, site.url('/plain')));
  release();

  expect(folders.length).toBeGreaterThan(0);
  expect(late.kind).toBe('overloaded');
  expect([(await running).pageStatus, (await waiting).pageStatus]).toEqual([200, 200]);
  await closed;
  expect(await browserProcesses()).toEqual([]);
  for (const folder of folders) await expect(access(folder)).rejects.toThrow();
});

test('the service starts even if the browser does not; captures are then rejected', async () => {
  const capture = await start({ browserPath: '/bin/false' });

  expect(capture.state().browser).not.toBe('ready');
  expect((await outcome(shoot(capture, site.url('/plain')))).kind).toBe('overloaded');
});

test('a capture of a page that does not respond ends at the time limit, which the error names', async () => {
  const capture = await start({ concurrency: 1, queue: 5, timeoutMs: 3_000 });
  const running = outcome(shoot(capture, site.url('/held')));
  await untilHeld(1);

  expect(await running).toMatchObject({ kind: 'timeout', message: expect.stringMatching(/3 seconds/u) });
});
