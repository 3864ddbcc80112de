import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { listen } from '../fixtures/capture/listen.js';
import { memoryBombs } from '../fixtures/capture/memory-bombs.js';
import { SITE_ADDRESS, startPageServer, type PageServer } from '../fixtures/capture/page-server.js';
import { type ConnectProxy, startConnectProxy } from '../fixtures/connect-proxy.js';
import { ipv4Only, type NameAnswer, type NameServer, startNameServer } from '../fixtures/name-server.js';
import { NO_BROWSER, runSignpost, type SignpostServer, startSignpost } from '../fixtures/signpost-server.js';
import { makeCertificate } from '../fixtures/storage/certificates.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { recordFault } from './support/fault-table.js';
import { metricOf } from './support/metric.js';
import { NAME_SERVER_ADDRESS, NAME_SERVER_PORT, prepareOwnNames } from './support/own-names.js';
import { mountSmallDisk } from './support/small-disk.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/** A cause of failed captures, with its reason, log line and doctor line, as in docs/explanation/failures.md. */
interface Cause {
  readonly cause: string;
  readonly page: string;
  readonly reason: string;
  readonly log: RegExp;
  readonly finding: readonly [name: string, message: RegExp];
}

/** The log names the reason after this many captures that fail alike. */
const ALIKE = 5;
const DISK_MEGABYTES = 32;
/** A network that is reserved for documentation: a connection to it reaches nobody. */
const NOWHERE = '198.51.100.0/24';
const NOWHERE_ADDRESS = '198.51.100.7';

const run = promisify(execFile);
const findings = z.array(z.object({ name: z.string(), state: z.string(), message: z.string() }));

const names = await prepareOwnNames('127.0.0.1 localhost\n');
const disk = await mountSmallDisk(DISK_MEGABYTES);
const hasNowhere = await run('ip', ['route', 'add', 'unreachable', NOWHERE]).then(
  () => true,
  () => false,
);

let folder: string;
let server: SignpostServer | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-why-'));
  for (const why of [names, disk]) if (typeof why === 'string') console.warn(`Left out: ${why}.`);
  if (!hasNowhere) console.warn('Left out: no route can be forbidden here.');
});
afterEach(async () => {
  await server?.remove();
  server = undefined;
});
afterAll(async () => {
  if (hasNowhere) await run('ip', ['route', 'del', 'unreachable', NOWHERE]);
  if (typeof names !== 'string') await names.remove();
  if (typeof disk !== 'string') await disk.remove();
  await rm(folder, { recursive: true });
});

type Environment = Readonly<Record<string, string>>;

/**
 * Starts a server. Returns a function that captures a page until the log names the cause, and then checks the metric
 * and the doctor.
 */
async function observe(more: Environment, launcher: readonly string[] = []) {
  const environment = { ...UNLIMITED, SIGNPOST_CAPTURE_CONCURRENCY: '1', ...more };
  const one = await startSignpost(environment, undefined, launcher);
  server = one;
  return async ({ cause, page, reason, log, finding: [name, message] }: Cause) => {
    const metric = `signpost_captures_failed_total\\{reason="${reason}"\\}`;
    const before = await metricOf(one, metric);
    await waitUntil(`the log names: ${cause}`, async () => {
      await one.post('/api/screenshot', { url: page, timeoutMs: 10_000 });
      return log.test(one.output());
    });
    const failed = (await metricOf(one, metric)) - before;
    const port = new URL(one.url).port;
    const doctor = await runSignpost(
      one.dataDir,
      ['doctor', '--json'],
      { ...environment, SIGNPOST_PORT: port },
      launcher,
    );
    const found = findings.parse(JSON.parse(doctor.stdout));
    const line = found.find((each) => each.name === name);
    await recordFault({
      fault: `captures fail: ${cause}`,
      expected: `the log, the metric and the doctor's line "${name}" name the cause`,
      figure: `${failed} × ${reason}; ${line?.state ?? 'no line'}: ${line?.message ?? ''}`,
    });
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThanOrEqual(2 * ALIKE);
    expect([cause, line?.message, line?.state]).toEqual([
      cause,
      expect.stringMatching(message),
      expect.not.stringMatching(/^works$/u),
    ]);
  };
}

const outsidePage = (message: RegExp) => ['Pages of other machines', message] as const;

(typeof names === 'string' ? test.skip : test)(
  'the log and the doctor tell apart a missing name, a firewall, no route and no name server',
  async () => {
    if (typeof names === 'string') return;
    let answer: NameAnswer = 'NXDOMAIN';
    const nameServer: NameServer = await startNameServer(
      (_name, family) => (typeof answer === 'string' ? answer : ipv4Only(answer.addresses, family)),
      { host: NAME_SERVER_ADDRESS, port: NAME_SERVER_PORT },
    );
    try {
      const settings = {
        SIGNPOST_ALLOW_ADDRESSES: `${SITE_ADDRESS},${NOWHERE}`,
        SIGNPOST_NETWORK_PROBE: 'probe.test',
      };
      const see = await observe(settings, names.launcher);
      await see({
        cause: 'a name that does not exist',
        page: 'http://page.test/',
        reason: 'name',
        log: /the names of the pages were not found/u,
        finding: outsidePage(/its name was not found/u),
      });
      // No server listens on port 80 of this address.
      answer = { addresses: [SITE_ADDRESS] };
      await see({
        cause: 'a firewall that refuses connections',
        page: 'http://other.test/',
        reason: 'unreachable',
        log: /no connection to the pages was made/u,
        finding: outsidePage(/connection was refused/u),
      });
      if (hasNowhere) {
        answer = { addresses: [NOWHERE_ADDRESS] };
        await see({
          cause: 'no route',
          page: 'http://third.test/',
          reason: 'network',
          log: /this server cannot use its network: the network has no route/u,
          finding: ['Network', /no route to other machines/u],
        });
      }
      answer = 'silent';
      await see({
        cause: 'no name server',
        page: 'http://fourth.test/',
        reason: 'network',
        log: /this server cannot use its network: no name server answers/u,
        finding: ['Network', /no name server answers/u],
      });
    } finally {
      await nameServer.close();
    }
  },
);

test('the log, metrics and doctor tell apart proxies that refuse, inspect or want a password', async () => {
  const files = await makeCertificate(folder, 'inspector', { subject: 'Inspector', host: 'page.test' });
  const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
  const inspector: Server = createServer({ cert, key }, (_request, response) => response.end('x'));
  const port = await listen(inspector, '127.0.0.1');
  const proxy: ConnectProxy = await startConnectProxy(() => port);
  try {
    const see = await observe({
      SIGNPOST_OUTBOUND_PROXY: proxy.url,
      SIGNPOST_OUTBOUND_PROXY_RESOLVES: 'yes',
      SIGNPOST_NETWORK_PROBE: 'page.test',
    });
    proxy.status = 403;
    await see({
      cause: 'a proxy that forbids the pages',
      page: 'https://page.test/',
      reason: 'proxy',
      log: /the proxy for outgoing requests did not let them through/u,
      finding: outsidePage(/proxy for outgoing requests refused the connection/u),
    });
    proxy.status = 200;
    await see({
      cause: 'a certificate that is not trusted',
      page: 'https://page.test/',
      reason: 'certificate',
      log: /the certificates of the pages are not trusted/u,
      finding: outsidePage(/authority that is not trusted/u),
    });
    proxy.status = 407;
    await see({
      cause: 'a proxy that wants a password',
      page: 'https://page.test/',
      reason: 'network',
      log: /cannot use its network: the proxy http:\S+ wants a user and a password/u,
      finding: ['Network', /wants a user and a password/u],
    });
  } finally {
    await proxy.close();
    inspector.closeAllConnections();
    inspector.close();
  }
});

test('the log, a metric and the doctor say that pages take too much memory', async () => {
  const site: PageServer = await startPageServer(memoryBombs());
  try {
    const see = await observe({
      SIGNPOST_ALLOW_ADDRESSES: SITE_ADDRESS,
      SIGNPOST_CAPTURE_MEMORY_MEGABYTES: '300',
      SIGNPOST_NETWORK_PROBE: 'off',
    });
    await see({
      cause: 'pages that take too much memory',
      page: site.url('/wasm'),
      reason: 'memory',
      log: /A page took more memory than a capture may use.*the pages take more memory/su,
      finding: ['Running server', /the pages take more memory than a capture may use/u],
    });
  } finally {
    await site.close();
  }
});

test('the log and the doctor name the missing library of a browser that does not start', async () => {
  const program = join(folder, 'broken-browser');
  const words = 'error while loading shared libraries: libnss3.so: cannot open shared object file';
  await writeFile(program, `#!/bin/sh\necho "$0: ${words}" >&2\nexit 127\n`, { mode: 0o755 });
  const see = await observe({ SIGNPOST_BROWSER_PATH: program });
  await see({
    cause: 'a browser that does not start',
    page: 'http://page.test/',
    reason: 'browser',
    log: /The browser does not start: the library libnss3\.so is missing/u,
    finding: ['Browser', /the library libnss3\.so is missing/u],
  });
});

(typeof disk === 'string' ? test.skip : test)('the log and doctor say that the disk is full', async () => {
  if (typeof disk === 'string') return;
  const dataDir = join(disk.folder, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const environment = { ...UNLIMITED, ...NO_BROWSER };
  const one = await startSignpost(environment, dataDir);
  server = one;
  await disk.fill();
  await waitUntil('captures are refused', async () => {
    const { status } = await one.post('/api/screenshot', { url: 'http://page.test/' });
    return status === 503 && (await one.get('/readyz')).status === 503;
  });
  const isUp = await metricOf(one, 'signpost_database_up');
  const port = new URL(one.url).port;
  const doctor = await runSignpost(dataDir, ['doctor', '--json'], { ...environment, SIGNPOST_PORT: port });
  const line = findings.parse(JSON.parse(doctor.stdout)).find(({ name }) => name === 'Running server');
  await recordFault({
    fault: 'captures fail: a full disk',
    expected: 'the log, the metric and the doctor\'s line "Running server" name the cause',
    figure: `signpost_database_up ${isUp}; ${line?.state ?? 'no line'}: ${line?.message ?? ''}`,
  });
  expect(one.output()).toMatch(/The server is not ready: .*database/u);
  expect(one.output()).toMatch(/Its disk is full: make room there/u);
  expect(isUp).toBe(0);
  expect(line).toMatchObject({
    state: 'does not work',
    message: expect.stringContaining('Its disk is full: make room there'),
  });
});
