import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { SAFE_FLAGS, startCdpBrowser, type RemoteBrowser } from '../fixtures/capture/remote-browser.js';
import { bytesOf, pngSize, rejectionOf } from '../fixtures/answers.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { runSignpost, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/** The address of the pages. Captures may reach no other address of this machine, except the server's own front page. */
const PAGE_ADDRESS = '127.0.0.2';

const settings = {
  ...UNLIMITED,
  SIGNPOST_ALLOW_ADDRESSES: PAGE_ADDRESS,
};

const findings = z.array(z.object({ name: z.string(), state: z.string(), message: z.string() }));

let pages: Pages;
let cdp: RemoteBrowser;
let other: RemoteBrowser;

beforeAll(async () => {
  const slow = (_request: unknown, response: ServerResponse) =>
    void setTimeout(() => response.end('slow'), 300);
  pages = await servePages({ '/slow': slow }, PAGE_ADDRESS);
  [cdp, other] = await Promise.all([startCdpBrowser(SAFE_FLAGS), startCdpBrowser(SAFE_FLAGS)]);
});

afterAll(() => Promise.all([cdp.remove(), other.remove(), pages.close()]));

const screenshot = (server: SignpostServer, path = '/') =>
  server.post('/api/screenshot', { url: `${pages.url}${path}`, width: 200, height: 100 });
const metric = async (server: SignpostServer, line: string) =>
  (await (await server.get('/metrics')).text()).split('\n').includes(line);
const readiness = async (server: SignpostServer): Promise<unknown> => (await server.get('/readyz')).json();

describe('a server with two remote browsers', () => {
  let server: SignpostServer;

  beforeAll(async () => {
    server = await startSignpost({
      ...settings,
      SIGNPOST_BROWSER_ENDPOINTS: `http://127.0.0.1:${cdp.port}, ${other.endpoint.url}?token=hush`,
      SIGNPOST_BROWSER_PATH: '/no/such/program',
    });
  });
  afterAll(() => server.remove());

  test('a server names its two remote browsers when it starts', () => {
    expect(server.output()).toMatch(
      new RegExp(
        `Browser: 2 of 2 remote browsers, 127.0.0.1:${cdp.port} \\(\\d.*127.0.0.1:${other.port} `,
        'u',
      ),
    );
  });

  test('a server with two remote browsers captures eight slow pages that are requested at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => screenshot(server, '/slow')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test('a server with remote browsers takes screenshots and prints PDFs', async () => {
    expect(pngSize(await bytesOf(await screenshot(server)))).toEqual({ width: 200, height: 100 });
    const pdf = await server.post('/api/pdf', { url: pages.url });
    expect([pdf.status, pdf.headers.get('X-Page-Count')]).toEqual([200, '1']);
  });

  test('a server with remote browsers captures its own front page, although its address is not allowed otherwise', async () => {
    expect((await server.post('/api/screenshot', { url: `${server.url}/` })).status).toBe(200);
  });

  test('a server with remote browsers rejects a capture of another address of its machine', async () => {
    const refused = await rejectionOf(server.post('/api/screenshot', { url: 'http://127.0.0.4/' }));
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringMatching(/not allowed/u)]);
  });

  test('the metrics report each remote browser as up and without captures', async () => {
    for (const { port } of [cdp, other]) {
      const endpoint = `{endpoint="127.0.0.1:${port}"}`;
      expect(await metric(server, `signpost_browser_endpoint_up${endpoint} 1`)).toBe(true);
      // The capture's response comes before its page is closed.
      await waitUntil('no capture uses the browser', () =>
        metric(server, `signpost_browser_endpoint_captures_active${endpoint} 0`),
      );
    }
  });

  test('neither metrics nor output contains the token in the address of a remote browser', async () => {
    const told = (await (await server.get('/metrics')).text()) + server.output();
    expect(told).not.toMatch(/hush/u);
  });
});

describe('a server whose only remote browser is not safe', () => {
  const WHAT =
    'not used: its WebRTC sends UDP past the guard; start it with --force-webrtc-ip-handling-policy';
  let unsafe: RemoteBrowser;
  let server: SignpostServer;
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    unsafe = await startCdpBrowser([]);
    environment = {
      SIGNPOST_BROWSER_ENDPOINTS: `http://127.0.0.1:${unsafe.port}/?token=hush`,
      SIGNPOST_GUARD_ADDRESS: '127.0.0.3:0',
    };
    server = await startSignpost({ ...settings, ...environment });
  });
  afterAll(async () => {
    await server.remove();
    await unsafe.remove();
  });

  test('a server whose only remote browser is unsafe rejects captures with 503 and Retry-After', async () => {
    const { status, body } = await rejectionOf(screenshot(server));
    expect([status, body.error]).toEqual([
      503,
      expect.stringMatching(/^None of the remote browsers can be used/u),
    ]);
    expect(Number((await screenshot(server)).headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('a server whose only remote browser is unsafe is not ready, and its metrics report the browser as down', async () => {
    expect(await readiness(server)).toMatchObject({ checks: { browser: false } });
    const endpoint = `{endpoint="127.0.0.1:${unsafe.port}"}`;
    expect(await metric(server, `signpost_browser_endpoint_up${endpoint} 0`)).toBe(true);
  });

  test('the output says what to change about an unsafe browser, without revealing its token', () => {
    expect(server.output()).toContain(`The browser at 127.0.0.1:${unsafe.port} is ${WHAT}`);
    expect(server.output()).not.toContain('hush');
  });

  test('the doctor says what to change about an unsafe browser, without revealing its token', async () => {
    const { code, stdout } = await runSignpost(server.dataDir, ['doctor', '--json'], environment);
    const found = findings.parse(JSON.parse(stdout));
    expect(code).toBe(1);
    expect(found.find(({ name }) => name === `Browser at 127.0.0.1:${unsafe.port}`)).toMatchObject({
      state: 'does not work',
      message: expect.stringContaining(WHAT),
    });
    expect(stdout).not.toContain('hush');
  });
});

test('the doctor reports that two safe remote browsers work', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'signpost-doctor-'));
  const { code, stdout } = await runSignpost(dataDir, ['doctor', '--json'], {
    SIGNPOST_BROWSER_ENDPOINTS: `http://127.0.0.1:${cdp.port},${other.endpoint.url}`,
  });
  await rm(dataDir, { recursive: true });

  expect(code).toBe(0);
  const browsers = findings.parse(JSON.parse(stdout)).filter(({ name }) => name.startsWith('Browser'));
  expect(browsers.map(({ state }) => state)).toEqual(['works', 'works', 'works']);
});
