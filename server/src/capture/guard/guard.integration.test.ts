import { isIP } from 'node:net';
import { captureScreenshotRequest } from '@signpost/contract';
import type { CaptureService } from '../capture-service.js';
import { hostAndPortOf } from './host-and-port.js';
import { startCanary, type Canary } from '../../../../test/fixtures/capture/canary.js';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  startPageServer,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { smugglingPages } from '../../../../test/fixtures/capture/smuggling-pages.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';

/** The addresses that this test's resolver returns for host names. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'site.test': [SITE_ADDRESS],
  'private.test': ['127.0.0.1'],
  'mixed.test': [SITE_ADDRESS, '127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
  'sub.localhost': ['127.0.0.1'],
};

/** How many captures run at once: many, because the captures of these pages wait most of the time. */
const AT_ONCE = 10;

let canary: Canary;
let site: PageServer;
let guarded: CaptureService;
let open: CaptureService;

beforeAll(async () => {
  canary = await startCanary();
  site = await startPageServer(smugglingPages(canary.port));
  let rebindings = 0;
  const resolve = (host: string) => {
    const name = host.replace(/\.$/u, '');
    const addresses =
      name === 'rebind.test' ? [rebindings++ === 0 ? SITE_ADDRESS : '127.0.0.1'] : NAMES[name];
    if (addresses === undefined) return Promise.reject(new Error('ENOTFOUND'));
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  guarded = await startTestCapture({ concurrency: AT_ONCE, resolve });
  open = await startTestCapture({ concurrency: AT_ONCE, allowAddresses: ['127.0.0.0/8', '::1'] });
});

afterAll(async () => {
  await Promise.all([guarded.close(), open.close()]);
  await Promise.all([site.close(), canary.close()]);
});

const HOSTS = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.1',
  '127.0.1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'sub.localhost',
  '127.0.0.1.',
  '１２７.０.０.１',
  '①②⑦.0.0.1',
  '127。0。0。1',
  `${SITE_ADDRESS}@127.0.0.1`,
  'user:password@127.0.0.1',
  'private.test',
  'mixed.test',
  'mapped.test',
  '169.254.169.254',
  '10.0.0.1',
  '192.168.0.1',
  '100.64.0.1',
];

const NAME_REJECTION =
  'The page cannot be captured: its name was not found, or leads to an address that is not public.';
const ADDRESS_REJECTION =
  'The page cannot be captured: its address is not allowed: only public addresses may be captured, and those that the operator allows by SIGNPOST_ALLOW_ADDRESSES.';
const rejectionFor = (url: string) =>
  isIP(hostAndPortOf(new URL(url)).host) === 0 ? NAME_REJECTION : ADDRESS_REJECTION;

test.each(HOSTS)('rejects the address %s with a message, and reaches nothing', async (host) => {
  const url = `http://${host}:${canary.port}/direct`;
  const { kind, message } = await outcome(shoot(guarded, url));

  expect({ kind, message }).toEqual({ kind: 'invalidRequest', message: rejectionFor(url) });
  expect(canary.hits).toBe(0);
});

test.each(['http', 'https'])(
  'over %s, a name with a private address is rejected with the message for a name that does not exist',
  async (scheme) => {
    for (const host of ['private.test', 'mixed.test', 'no-such-name.test'])
      expect(await outcome(shoot(guarded, `${scheme}://${host}:${canary.port}/`))).toEqual({
        kind: 'invalidRequest',
        message: NAME_REJECTION,
      });
  },
);

test.each(['http://127.0.0.1', 'https://127.0.0.1', 'https://localhost', 'https://[::1]'])(
  'rejects the origin %s with a message, and reaches nothing',
  async (origin) => {
    const { kind, message } = await outcome(shoot(guarded, `${origin}:${canary.port}/`));

    expect({ kind, message }).toEqual({ kind: 'invalidRequest', message: rejectionFor(origin) });
    expect(canary.hits).toBe(0);
  },
);

const SMUGGLING = Object.keys(smugglingPages(1)).filter((path) => path !== '/service-worker.js');

test('pages that try many kinds of requests reach no forbidden address', async () => {
  const ends = await Promise.all(
    SMUGGLING.map(async (path) => ({ path, ...(await outcome(shoot(guarded, site.url(path)))) })),
  );

  expect(canary.hits).toBe(0);
  expect(ends.filter(({ kind }) => kind !== 'captured' && kind !== 'invalidRequest')).toEqual([]);
  const captured = new Set(ends.filter(({ kind }) => kind === 'captured').map(({ path }) => path));
  expect(captured).toContain('/page');
  expect(captured).toContain('/img');
  expect([...captured].filter((path) => path.startsWith('/redirect'))).toEqual([]);
});

/** Paths of pages that reach the canary server if its address is allowed. */
const REAL = [
  ...['/img', '/script', '/css', '/css-import', '/css-image', '/font', '/object', '/video', '/worker'],
  ...['/iframe', '/iframe-srcdoc', '/iframe-data', '/prefetch', '/preload', '/module', '/link-header'],
  ...['/fetch', '/ipv6-fetch', '/keep-alive', '/xhr', '/eventsource', '/beacon', '/csp-report'],
  ...['/meta-refresh', '/location', '/form'],
];

test('pages that try many kinds of requests reach a server whose address is allowed', async () => {
  const before = canary.hits;
  await Promise.all([...REAL, '/redirect-302'].map((path) => outcome(shoot(open, site.url(path)))));

  expect(canary.hits).toBeGreaterThan(before);
  for (const path of [...REAL, '/redirect']) expect([...canary.paths]).toContain(path);
});

test('if the address of a name changes to a forbidden one, pages do not reach that address', async () => {
  const before = canary.hits;
  const first = await outcome(shoot(guarded, `http://rebind.test:${site.port}/page`));
  const second = await outcome(shoot(guarded, `http://rebind.test:${canary.port}/`));

  expect(first.kind).toBe('captured');
  expect(second.kind).toBe('invalidRequest');
  expect(canary.hits).toBe(before);
});

test('captures a page at a name whose address is allowed', async () => {
  expect(await outcome(shoot(guarded, `http://site.test:${site.port}/page`))).toMatchObject({
    kind: 'captured',
  });
});

test.each(['/redirect-file', '/redirect-chrome', '/redirect-data', '/redirect-view-source', '/redirect-ftp'])(
  'rejects the page %s, which redirects to an address that is not http, with a message',
  async (path) => {
    const { kind, message } = await outcome(shoot(guarded, site.url(path)));

    expect(kind).toBe('invalidRequest');
    expect(message).toMatch(/^The page cannot be captured: .+\.$/u);
  },
);

test.each([
  'file:///etc/hosts',
  'view-source:file:///etc/hosts',
  'chrome://version',
  'data:text/html,x',
  'about:blank',
  'javascript:1',
  'ftp://example.com/',
])('rejects %s, which is neither http nor https, even in a request that was not validated', async (url) => {
  const request = { ...captureScreenshotRequest.parse({ url: 'https://example.com' }), url };
  const { kind } = await outcome(guarded.screenshot(request, new AbortController().signal));

  expect(kind).toBe('invalidRequest');
});
