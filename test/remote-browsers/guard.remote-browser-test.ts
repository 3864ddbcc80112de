import type { CaptureService } from '../../server/src/capture/capture-service.js';
import { startCanary, type Canary } from '../fixtures/capture/canary.js';
import { outcome, shoot } from '../fixtures/capture/outcome.js';
import { startPageServer, type PageServer } from '../fixtures/capture/page-server.js';
import { SAFE_FLAGS, startCdpBrowser, type RemoteBrowser } from '../fixtures/capture/remote-browser.js';
import { smugglingPages } from '../fixtures/capture/smuggling-pages.js';
import { rounds } from '../fixtures/length.js';
import { startTestCapture } from '../fixtures/capture/start-test-capture.js';

/** Many captures at once, because each page keeps its capture waiting for most of its time. */
const AT_ONCE = 10;
const EVERY_WAY = Object.keys(smugglingPages(1)).filter((path) => path !== '/service-worker.js');
const CAPTURED = ['/page', '/img', '/worker', '/webrtc', '/iframe'];
/** At least one of each kind: elements, script requests, workers, sockets, frames, redirects and navigations. */
const OF_EACH_KIND = [
  ...CAPTURED,
  ...['/fetch', '/websocket', '/webtransport', '/service-worker', '/popup', '/unload', '/dns-prefetch'],
  ...[
    '/redirect-302',
    '/redirect-file',
    '/iframe-redirect',
    '/location',
    '/meta-refresh',
    '/form',
    '/link-header',
  ],
];
const SOME_WAYS = rounds(OF_EACH_KIND, EVERY_WAY);
/** A guard with a configured address asks browsers for credentials, because other machines might reach it. */
const EXPOSED = { host: '127.0.0.3', port: 0 };
const DIRECT = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '[::ffff:7f00:1]'];

type Setup = readonly [string, typeof EXPOSED | undefined, readonly string[]];
/** Each kind of guard: its name, its address, and the pages that are captured through it. */
const SETUPS: readonly Setup[] = [
  ['a guard with credentials', EXPOSED, EVERY_WAY],
  ['a guard on loopback', undefined, SOME_WAYS],
];

describe.each(SETUPS)('captures through %s', (_kind, guardAddress, ways) => {
  let canary: Canary;
  let site: PageServer;
  let remote: RemoteBrowser;
  let guarded: CaptureService;

  beforeAll(async () => {
    canary = await startCanary();
    site = await startPageServer(smugglingPages(canary.port));
    remote = await startCdpBrowser(SAFE_FLAGS);
    guarded = await startTestCapture({ concurrency: AT_ONCE, endpoints: [remote.endpoint], guardAddress });
  });

  afterAll(async () => {
    await guarded.close();
    await Promise.all([remote.remove(), site.close(), canary.close()]);
  });

  test('no tried way to send a request from a page reaches a forbidden address', async () => {
    const ends = await Promise.all(
      ways.map(async (path) => ({ path, ...(await outcome(shoot(guarded, site.url(path)))) })),
    );

    expect(canary.hits).toBe(0);
    expect(ends.filter(({ kind }) => kind !== 'captured' && kind !== 'invalidRequest')).toEqual([]);
    const captured = ends.filter(({ kind }) => kind === 'captured').map(({ path }) => path);
    expect(captured).toEqual(expect.arrayContaining(CAPTURED));
  });

  test.each(DIRECT)(
    'the address %s is rejected with a message, and no request is sent to it',
    async (host) => {
      const plain = await outcome(shoot(guarded, `http://${host}:${canary.port}/direct`));
      const secure = await outcome(shoot(guarded, `https://${host}:${canary.port}/direct`));

      for (const { kind, message } of [plain, secure]) {
        expect({ kind, message }).toEqual({
          kind: 'invalidRequest',
          message: expect.stringMatching(host === 'localhost' ? /name was not found/u : /not allowed/u),
        });
      }
      expect(canary.hits).toBe(0);
    },
  );
});
