import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operatorFetch } from '../../server/src/app/directory-import.js';
import { outboundFindings } from '../../server/src/app/network-finding.js';
import { openMailer } from '../../server/src/mail/mailer.js';
import { openOutbound } from '../../server/src/platform/outbound/outbound-proxy.js';
import type {
  OutboundSettings,
  ProxySettings,
} from '../../server/src/platform/outbound/outbound-settings.js';
import { listen } from '../fixtures/capture/listen.js';
import { outcome, shoot } from '../fixtures/capture/outcome.js';
import { startTestCapture, type TestCapture } from '../fixtures/capture/start-test-capture.js';
import { freePort } from '../fixtures/free-port.js';
import { startMailServer } from '../fixtures/mail-server.js';
import { ipv4Only, startNameServer, type NameServer } from '../fixtures/name-server.js';
import { runSignpost } from '../fixtures/signpost-server.js';
import { makeCertificate } from '../fixtures/storage/certificates.js';
import { waitUntil } from '../fixtures/wait-until.js';

/** These tests use a real squid, with a user and a password, and a site with a certificate of a private authority. */

const run = promisify(execFile);
const SQUID = process.env.SIGNPOST_TEST_SQUID ?? '';
/** An IPv4 address of this machine other than loopback, because loopback is never reached through a proxy. */
const OWN_ADDRESS = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
const isPossible = SQUID !== '' && OWN_ADDRESS !== undefined;
if (!isPossible) console.error('Skipped: there is no squid, or no network address other than loopback.');

const ADDRESS = OWN_ADDRESS ?? '127.0.0.1';
const NAME = 'site.company.test';
/** A host name that only squid can resolve. */
const SECRET_NAME = 'hidden.company.test';
const CREDENTIALS = 'signpost:pass-word';

let folder: string;
let squid: ChildProcess | undefined;
let squidPort: number;
let site: Server;
let sitePort: number;
let forbiddenPort: number;
let caFile: string;
let names: NameServer;
let capture: TestCapture | undefined;

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

async function startSquid(): Promise<void> {
  squidPort = await freePort();
  forbiddenPort = await freePort();
  const [user = '', password = ''] = CREDENTIALS.split(':');
  const { stdout: hash } = await run('openssl', ['passwd', '-apr1', password]);
  await writeFile(join(folder, 'passwords'), `${user}:${hash.trim()}\n`);
  await writeFile(
    join(folder, 'hosts'),
    `127.0.0.1 localhost mail.company.test\n${ADDRESS} ${SECRET_NAME}\n`,
  );
  await writeFile(
    join(folder, 'squid.conf'),
    [
      `http_port 127.0.0.1:${squidPort}`,
      `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${folder}/passwords`,
      'acl known proxy_auth REQUIRED',
      `acl forbidden port ${forbiddenPort}`,
      'http_access deny forbidden',
      'http_access allow known',
      'http_access deny all',
      `hosts_file ${folder}/hosts`,
      `access_log stdio:${folder}/access.log`,
      `cache_log ${folder}/cache.log`,
      `pid_filename ${folder}/squid.pid`,
      `coredump_dir ${folder}`,
      'cache deny all',
      'pinger_enable off',
      'shutdown_lifetime 0 seconds',
    ].join('\n'),
  );
  // Squid gives up root's rights, and must still be able to write into the folder.
  await chmod(folder, 0o777);
  squid = spawn(SQUID, ['-N', '-f', join(folder, 'squid.conf')], { stdio: 'ignore' });
  await waitUntil('squid answers', () => answers(squidPort));
}

async function startSite(): Promise<void> {
  const authority = await makeCertificate(folder, 'authority', { subject: 'Company authority' });
  caFile = authority.cert;
  const made = await makeCertificate(folder, 'site', {
    subject: NAME,
    host: `${NAME},DNS:${SECRET_NAME}`,
    issuer: authority,
  });
  const [cert, key] = await Promise.all([readFile(made.cert), readFile(made.key)]);
  site = createServer({ cert, key }, (_request, response) => response.end('<!doctype html>a page'));
  sitePort = await listen(site, ADDRESS);
}

const outbound = (more: Partial<ProxySettings> = {}, ca: string | undefined = caFile): OutboundSettings => ({
  proxy: {
    url: `http://${CREDENTIALS}@127.0.0.1:${squidPort}`,
    except: [],
    resolvesNames: false,
    ...more,
  },
  extraCaFile: ca,
});

async function captureBy(
  settings: OutboundSettings,
  probeNames: readonly string[] = [],
): Promise<TestCapture> {
  capture = await startTestCapture({
    outbound: settings,
    allowAddresses: [ADDRESS],
    nameServers: [names.address],
    probeNames,
  });
  return capture;
}

const pageUrl = (port = sitePort, name = NAME) => `https://${name}:${port}/`;
const accessLog = () => readFile(join(folder, 'access.log'), 'utf8').catch(() => '');

(isPossible ? describe : describe.skip)('a company network', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signpost-squid-'));
    names = await startNameServer((name, family) =>
      name === NAME ? ipv4Only([ADDRESS], family) : 'NXDOMAIN',
    );
    await startSite();
    await startSquid();
  });
  afterEach(async () => {
    await capture?.close();
    capture = undefined;
  });
  afterAll(async () => {
    if (squid?.exitCode === null) {
      squid.kill('SIGKILL');
      await once(squid, 'exit');
    }
    await names.close();
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test("a page with the company's certificate is captured through squid, which gets its address and not its name", async () => {
    expect(await outcome(shoot(await captureBy(outbound()), pageUrl()))).toMatchObject({ kind: 'captured' });
    const log = await accessLog();
    expect(log).toMatch(new RegExp(`CONNECT ${ADDRESS}:${sitePort} signpost`, 'u'));
    expect(log).not.toContain(NAME);
  });

  test("without the company's authority, the error of a capture says that an authority is not trusted", async () => {
    const { proxy } = outbound();
    const service = await captureBy({ proxy, extraCaFile: undefined });
    expect(await outcome(shoot(service, pageUrl()))).toMatchObject({
      kind: 'invalidRequest',
      message: expect.stringContaining('an authority that is not trusted'),
    });
  });

  test('a wrong proxy password fails captures as overloaded, with a message that names the proxy without its password', async () => {
    const settings = outbound({ url: `http://signpost:wrong-word@127.0.0.1:${squidPort}` });
    const service = await captureBy(settings, [NAME]);
    const { kind, message } = await outcome(shoot(service, pageUrl()));
    expect(kind).toBe('overloaded');
    expect(message).toContain(`the proxy http://127.0.0.1:${squidPort} wants a user and a password`);
    expect(message).not.toContain('wrong-word');
    expect(service.state().networkProblem).toContain('(407)');
  });

  test('the error of a capture from a port that squid forbids says that the proxy refused the connection', async () => {
    const service = await captureBy(outbound(), [NAME]);
    const { message } = await outcome(shoot(service, pageUrl(forbiddenPort)));
    expect(message).toContain("this server's proxy for outgoing requests refused the connection");
    expect(service.state().networkProblem).toBeUndefined();
  });

  test('captures through a squid that is down fail as overloaded, with a message that names the proxy', async () => {
    const gone = await freePort();
    const service = await captureBy(outbound({ url: `http://127.0.0.1:${gone}` }), [NAME]);
    expect(await outcome(shoot(service, pageUrl()))).toMatchObject({
      kind: 'overloaded',
      message: expect.stringContaining(`the proxy http://127.0.0.1:${gone} does not answer (ECONNREFUSED)`),
    });
  });

  test('a page whose name only squid can resolve is captured if squid resolves names, and otherwise not found', async () => {
    const hidden = pageUrl(sitePort, SECRET_NAME);
    expect(await outcome(shoot(await captureBy(outbound()), hidden))).toMatchObject({
      kind: 'invalidRequest',
      message: expect.stringContaining('its name was not found'),
    });
    await capture?.close();
    const service = await captureBy(outbound({ resolvesNames: true }));
    expect(await outcome(shoot(service, hidden))).toMatchObject({ kind: 'captured' });
  });

  test("the fetch for imports goes through squid and trusts the company's certificate", async () => {
    const fetchOne = operatorFetch(outbound({ resolvesNames: true }));
    const init = { headers: {}, signal: AbortSignal.timeout(20_000), redirect: 'manual' } as const;
    const response = await fetchOne?.(new URL(pageUrl(sitePort, SECRET_NAME)), init);
    expect(await response?.text()).toContain('a page');
  });

  test("mail goes through squid and trusts the company's certificate", async () => {
    const made = await makeCertificate(folder, 'mail', {
      subject: 'mail.company.test',
      host: 'mail.company.test',
      issuer: { cert: caFile, key: join(folder, 'authority.key') },
    });
    const [cert, key] = await Promise.all([readFile(made.cert), readFile(made.key)]);
    const server = await startMailServer({ secure: true, cert, key });
    const mailer = await openMailer({
      url: new URL(`smtps://mail.company.test:${server.port}`),
      from: 'signpost@company.test',
      log: { warn: () => undefined, error: () => undefined },
      outbound: openOutbound(outbound()),
    });
    mailer.send({ to: 'ada@company.test', subject: 'A mail', text: 'through the proxy' });
    expect(await server.mail('through the proxy')).toMatchObject({ isEncrypted: true });
    await mailer.close();
    await server.close();
  });

  test('the doctor names the proxy and the certificates, and warns if the proxy resolves names', async () => {
    expect(await outboundFindings({ outbound: outbound(), ignoredProxy: undefined }, Date.now())).toEqual([
      { name: 'Outgoing proxy', state: 'works', message: `http://127.0.0.1:${squidPort}` },
      { name: 'Extra certificates', state: 'works', message: `1 of ${caFile}` },
    ]);
    const { stdout } = await runSignpost(join(folder, 'data'), ['doctor'], {
      SIGNPOST_OUTBOUND_PROXY: `http://signpost:wrong-word@127.0.0.1:${squidPort}`,
      SIGNPOST_OUTBOUND_PROXY_RESOLVES: 'yes',
      SIGNPOST_NETWORK_PROBE: SECRET_NAME,
      SIGNPOST_EXTRA_CA_FILE: caFile,
    });
    expect(stdout).toMatch(/! Outgoing proxy: .*the guard cannot check/u);
    expect(stdout).toMatch(/✖ Network: .*wants a user and a password, or other ones \(407\)/u);
    expect(stdout).toMatch(/✔ Extra certificates: 1 of/u);
    expect(stdout).not.toContain('wrong-word');
  });
});
