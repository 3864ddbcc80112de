import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { SAFE_FLAGS, startCdpBrowser, type RemoteBrowser } from '../fixtures/capture/remote-browser.js';
import { bytesOf, pngSize, rejectionOf } from '../fixtures/answers.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { runSignpost, startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

const settings = {
  ...UNLIMITED,
  SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
};

const findings = z.array(z.object({ name: z.string(), state: z.string(), message: z.string() }));

let pages: Pages;
let cdp: RemoteBrowser;
let other: RemoteBrowser;
const servers: SignpostServer[] = [];

beforeAll(async () => {
  pages = await servePages({
    '/slow': (_request, response) => void setTimeout(() => response.end('slow'), 300),
  });
  [cdp, other] = await Promise.all([startCdpBrowser(SAFE_FLAGS), startCdpBrowser(SAFE_FLAGS)]);
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.remove()));
});

afterAll(() => Promise.all([cdp.remove(), other.remove(), pages.close()]));

const start = async (more: Readonly<Record<string, string>>) => {
  const server = await startSignpost({ ...settings, ...more });
  servers.push(server);
  return server;
};
const screenshot = (server: SignpostServer, path = '/') =>
  server.post('/api/screenshot', { url: `${pages.url}${path}`, width: 200, height: 100 });
const metric = async (server: SignpostServer, line: string) =>
  (await (await server.get('/metrics')).text()).split('\n').includes(line);
const readiness = async (server: SignpostServer): Promise<unknown> => (await server.get('/readyz')).json();

test('a server takes captures in remote browsers and starts none itself', async () => {
  const server = await start({
    SIGNPOST_BROWSER_ENDPOINTS: `http://127.0.0.1:${cdp.port}, ${other.endpoint.url}?token=hush`,
    SIGNPOST_BROWSER_PATH: '/no/such/program',
  });
  expect(server.output()).toMatch(
    new RegExp(
      `Browser: 2 of 2 remote browsers, 127.0.0.1:${cdp.port} \\(\\d.*127.0.0.1:${other.port} `,
      'u',
    ),
  );

  const answers = await Promise.all(Array.from({ length: 8 }, () => screenshot(server, '/slow')));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(pngSize(await bytesOf(await screenshot(server)))).toEqual({ width: 200, height: 100 });
  const pdf = await server.post('/api/pdf', { url: pages.url });
  expect([pdf.status, pdf.headers.get('X-Page-Count')]).toEqual([200, '1']);
  // The server may capture its own front page, although the address of the page is private.
  expect((await server.post('/api/screenshot', { url: `${server.url}/` })).status).toBe(200);
  const refused = await rejectionOf(server.post('/api/screenshot', { url: 'http://127.0.0.2/' }));
  expect([refused.status, refused.body.error]).toEqual([400, expect.stringMatching(/not allowed/u)]);
  for (const { port } of [cdp, other]) {
    const endpoint = `{endpoint="127.0.0.1:${port}"}`;
    expect(await metric(server, `signpost_browser_endpoint_up${endpoint} 1`)).toBe(true);
    // The capture's response comes before its page is closed.
    await waitUntil('no capture uses the browser', () =>
      metric(server, `signpost_browser_endpoint_captures_active${endpoint} 0`),
    );
  }
  const told = (await (await server.get('/metrics')).text()) + server.output();
  expect(told).not.toMatch(/hush/u);
});

test('with no remote browser up, captures get 503 with Retry-After, the server is not ready, and the doctor says what to change', async () => {
  const unsafe = await startCdpBrowser([]);
  const environment = {
    SIGNPOST_BROWSER_ENDPOINTS: `http://127.0.0.1:${unsafe.port}/?token=hush`,
    SIGNPOST_GUARD_ADDRESS: '127.0.0.3:0',
  };
  try {
    const server = await start(environment);
    const { status, body } = await rejectionOf(screenshot(server));
    expect([status, body.error]).toEqual([
      503,
      expect.stringMatching(/^None of the remote browsers can be used/u),
    ]);
    expect(Number((await screenshot(server)).headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await readiness(server)).toMatchObject({ checks: { browser: false } });
    const endpoint = `{endpoint="127.0.0.1:${unsafe.port}"}`;
    expect(await metric(server, `signpost_browser_endpoint_up${endpoint} 0`)).toBe(true);
    const what =
      'not used: its WebRTC sends UDP past the guard; start it with --force-webrtc-ip-handling-policy';
    expect(server.output()).toContain(`The browser at 127.0.0.1:${unsafe.port} is ${what}`);

    const { code, stdout } = await runSignpost(server.dataDir, ['doctor', '--json'], environment);
    const found = findings.parse(JSON.parse(stdout));
    expect(code).toBe(1);
    expect(found.find(({ name }) => name === `Browser at 127.0.0.1:${unsafe.port}`)).toMatchObject({
      state: 'does not work',
      message: expect.stringContaining(what),
    });
    expect(stdout + server.output()).not.toContain('hush');
  } finally {
    await unsafe.remove();
  }
});

test('the doctor reports for each browser that its pages only go through the guard', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'signpost-doctor-'));
  const { code, stdout } = await runSignpost(dataDir, ['doctor', '--json'], {
    SIGNPOST_BROWSER_ENDPOINTS: `http://127.0.0.1:${cdp.port},${other.endpoint.url}`,
  });
  await rm(dataDir, { recursive: true });

  expect(code).toBe(0);
  const browsers = findings.parse(JSON.parse(stdout)).filter(({ name }) => name.startsWith('Browser'));
  expect(browsers.map(({ state }) => state)).toEqual(['works', 'works', 'works']);
});
