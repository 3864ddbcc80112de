import { lookup } from 'node:dns/promises';
import { outcome, shoot } from '../../../../test/fixtures/capture/outcome.js';
import {
  SITE_ADDRESS,
  startPageServer,
  type PageServer,
} from '../../../../test/fixtures/capture/page-server.js';
import { startTestCapture } from '../../../../test/fixtures/capture/start-test-capture.js';
import { ipv4Only, startNameServer, type NameServer } from '../../../../test/fixtures/name-server.js';
import { waitUntil } from '../../../../test/fixtures/wait-until.js';
import type { CaptureService } from '../capture-service.js';

const NAMES = 500;
/**
 * Images at many names. When the name server is first asked for the IPv4 or the IPv6 addresses of the first name, it
 * says that the name does not exist. It replies to no other question about these names.
 */
const MANY_NAMES = Array.from(
  { length: NAMES },
  (_, index) => `<img src="http://n${index}.attack.test/a.png">`,
).join('');

let site: PageServer;
let names: NameServer;
let capture: CaptureService;

beforeAll(async () => {
  site = await startPageServer({ '/many': MANY_NAMES, '/page': 'a page' });
  const known = new Set<string>();
  names = await startNameServer((name, family) => {
    if (name === 'site.test') return ipv4Only([SITE_ADDRESS], family);
    if (name === 'two.test') return ipv4Only([SITE_ADDRESS, '127.0.0.1'], family);
    const question = `${name} ${family}`;
    const isFirst = !known.has(question);
    known.add(question);
    return isFirst && name.startsWith('n0.') ? 'NXDOMAIN' : 'silent';
  });
  capture = await startTestCapture({ nameServers: [names.address] });
});

afterAll(async () => {
  await capture.close();
  await Promise.all([site.close(), names.close()]);
});

const attackNames = () => new Set(names.questions.filter((name) => name.endsWith('.attack.test')));

test('a page with many names that no server answers blocks no other captures and no system lookups', async () => {
  const attack = outcome(shoot(capture, site.url('/many'), { timeoutMs: 8_000 }));
  await waitUntil('the page asks for many names', () => attackNames().size > 10);

  expect((await lookup('localhost')).address).toMatch(/^(?:127\.0\.0\.1|::1)$/u);
  expect(await outcome(shoot(capture, `http://site.test:${site.port}/page`))).toMatchObject({
    kind: 'captured',
  });
  expect((await attack).kind).toBe('timeout');
  expect(attackNames().size).toBeLessThanOrEqual(300);
});

test('the lookups of a capture end when its caller disconnects', async () => {
  const leaving = new AbortController();
  const attack = outcome(shoot(capture, site.url('/many'), {}, leaving.signal));
  names.questions.length = 0;
  await waitUntil('the page asks for many names', () => attackNames().size > 10);
  leaving.abort();
  await attack;
  // Takes another capture, so that questions that were already sent have arrived.
  await outcome(shoot(capture, site.url('/page')));
  const asked = names.questions.length;
  // This capture takes longer than the time after which a name server is asked again, so a running lookup would ask.
  await outcome(shoot(capture, 'http://silent.test/'));

  expect(names.questions.slice(asked).filter((name) => name !== 'silent.test')).toEqual([]);
});

test('rejects a name if one of its addresses is not allowed, and captures a page at a name with allowed ones only', async () => {
  const port = String(site.port);

  expect(await outcome(shoot(capture, `http://two.test:${port}/page`))).toEqual({
    kind: 'invalidRequest',
    message:
      'The page cannot be captured: its name was not found, or leads to an address that is not public.',
  });
  expect(await outcome(shoot(capture, `http://site.test:${port}/page`))).toMatchObject({ kind: 'captured' });
});

test.each(['http', 'https'])(
  'over %s, a name that no server answers is distinguished from one that does not exist',
  async (scheme) => {
    const silent = await outcome(shoot(capture, `${scheme}://silent.test/`));
    const missing = await outcome(shoot(capture, `${scheme}://no-such-name.invalid/`));

    expect(silent.message).toMatch(/no name server answered when it was asked for its name/u);
    expect(missing.message).toMatch(/its name was not found/u);
  },
);
