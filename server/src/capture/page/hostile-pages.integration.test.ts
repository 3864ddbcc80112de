import type { CaptureService } from '../capture-service.js';
import { decodePng } from '../../../../test/fixtures/capture/decode-png.js';
import { floodingPages, hostilePages } from '../../../../test/fixtures/capture/hostile-pages.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../../../../test/fixtures/capture/page-server.js';
import { rounds } from '../../../../test/fixtures/length.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

/**
 * The outcomes that each page may have. For some pages, whether they are done within the limit depends on the
 * machine.
 */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  '/alert-loop': ['timeout'],
  '/prompt-loop': ['timeout'],
  '/confirm-once': ['captured'],
  '/beforeunload': ['captured'],
  '/print': ['captured'],
  '/endless-script': ['timeout'],
  '/endless-script-after-load': ['timeout'],
  '/endless-frames': ['captured', 'timeout'],
  '/million-nodes': ['captured', 'timeout'],
  '/giant-canvas': ['captured', 'timeout', 'invalidRequest'],
  '/many-canvases': ['captured', 'timeout', 'internal', 'invalidRequest'],
  '/popups': ['captured'],
  '/never-ending-image': ['timeout'],
  '/never-ending-body': ['timeout'],
  '/never-ending-headers': ['timeout', 'invalidRequest'],
  '/never-ending-font': ['captured', 'timeout'],
  '/heap': ['internal', 'timeout', 'invalidRequest'],
  '/buffers': ['captured', 'internal', 'timeout', 'invalidRequest'],
  '/redirects': ['invalidRequest'],
  '/script-redirects': ['timeout', 'invalidRequest'],
  '/meta-redirects': ['timeout', 'invalidRequest'],
  '/download': ['invalidRequest'],
  '/no-content': ['invalidRequest'],
  '/login': ['captured'],
  '/not-found': ['captured'],
  '/broken': ['captured'],
  '/cut-off': ['invalidRequest'],
  '/no-http': ['invalidRequest'],
  '/tall': ['captured'],
  '/gzip-bomb': ['captured', 'timeout', 'internal', 'invalidRequest'],
  '/frames': ['captured', 'timeout'],
  '/workers': ['captured', 'timeout'],
  '/debugger': ['captured'],
  '/close': ['captured', 'invalidRequest'],
  '/permissions': ['captured'],
  '/history': ['captured'],
  '/overridden': ['captured'],
};

/** Pages that let their caller wait but leave the processor idle, so that they can be tested side by side. */
const IDLE = [
  '/alert-loop',
  '/prompt-loop',
  '/never-ending-image',
  '/never-ending-body',
  '/never-ending-headers',
  '/never-ending-font',
];
/** Pages that keep the processor busy as long as they may. */
const BUSY = ['/endless-frames', '/frames', '/million-nodes', '/workers'];
const TIMEOUT_MS = rounds(3_000, 5_000);
/** The timeout for pages that behave the same however long they run: shorter in the short form of the test. */
const ENDLESS_TIMEOUT_MS = rounds(1_000, TIMEOUT_MS);
/**
 * A long timeout for captures beside pages that flood the browser: on a busy machine, it must first handle the flood.
 */
const PATIENT_MS = 60_000;
const isEndless = (path: string, ends: readonly string[]) => ends[0] === 'timeout' || BUSY.includes(path);

let site: PageServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({ ...hostilePages(), ...floodingPages() });
  capture = await startTestCapture({ concurrency: IDLE.length, timeoutMs: PATIENT_MS });
});

afterAll(async () => {
  await capture.close();
  await site.close();
});

test('lists the expected outcomes of every hostile page, and of no other page', () => {
  const paths = Object.keys(hostilePages()).filter((path) => path !== '/plain');

  expect(paths.toSorted()).toEqual(Object.keys(ENDS).toSorted());
});

async function expectEnd(path: string, ends: readonly string[]): Promise<void> {
  const timeoutMs = isEndless(path, ends) ? ENDLESS_TIMEOUT_MS : TIMEOUT_MS;
  const { kind, message } = await outcome(shoot(capture, site.url(path), { timeoutMs }));

  expect({ kind: ends.includes(kind) ? ends : kind, message }).toEqual({ kind: ends, message });
  if (kind !== 'captured') expect(message).toMatch(/^[A-Z].+\.$/u);
}

async function expectNextIsRight(): Promise<void> {
  const next = await shoot(capture, site.url('/plain'), { timeoutMs: PATIENT_MS });

  expect(decodePng(next.body).at(100, 50)).toEqual([10, 200, 30]);
}

const oneByOne = Object.entries(ENDS).filter(([path]) => !IDLE.includes(path));

test.each(oneByOne)(
  'a capture of the page %s has one of the outcomes %s, and the next capture is right',
  async (path, ends) => {
    await expectEnd(path, ends);
    await expectNextIsRight();
  },
);

test.each(Object.keys(floodingPages()))('while the page %s runs, other captures are right', async (path) => {
  const leaving = new AbortController();
  let isOver = false;
  const flood = shoot(capture, site.url(path), { timeoutMs: PATIENT_MS }, leaving.signal).finally(
    () => (isOver = true),
  );
  const left = outcome(flood);
  await expectNextIsRight();
  await Promise.all([expectNextIsRight(), expectNextIsRight()]);

  expect(isOver).toBe(false);
  leaving.abort();
  await left;
  await expectNextIsRight();
});

test('captures of never-ending pages side by side end as expected, and the next ones are right', async () => {
  await Promise.all(IDLE.map((path) => expectEnd(path, ENDS[path] ?? [])));

  for (let next = 0; next < IDLE.length; next += 1) await expectNextIsRight();
});

test.each([
  ['/login', 401],
  ['/not-found', 404],
  ['/broken', 500],
  ['/plain', 200],
])('captures the page %s with its status %i', async (path, status) => {
  expect(await shoot(capture, site.url(path))).toMatchObject({ pageStatus: status });
});

test('dismisses a confirm dialog of a page', async () => {
  expect(await shoot(capture, site.url('/confirm-once'))).toMatchObject({ pageTitle: 'false' });
});

test('rejects a page that cannot be reached, with the reason', async () => {
  const reasons: Readonly<Record<string, RegExp>> = {
    'http://127.0.0.2:1/': /port|refused/u,
    'http://127.0.0.2:9998/': /refused/u,
    'http://no-such-name.invalid/': /name was not found/u,
    [site.url('/redirects')]: /too many redirects/u,
    [site.url('/download')]: /download/u,
    [site.url('/no-content')]: /empty/u,
    [site.url('/plain').replace('http:', 'https:')]: /TLS|secure/u,
    [site.url('/cut-off')]: /without an answer|cannot be reached/u,
    [site.url('/no-http')]: /valid HTTP/u,
  };
  for (const [url, words] of Object.entries(reasons)) {
    const end = await outcome(shoot(capture, url));

    expect(end).toEqual({ kind: 'invalidRequest', message: expect.stringMatching(words) });
  }
});

test('no capture of a hostile page is still running at the end', () => {
  expect(capture.state()).toMatchObject({ browser: 'ready', active: 0, queued: 0 });
});
