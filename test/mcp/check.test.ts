import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { z } from 'zod';
import { type ConsoleApp, startConsoleApp } from '../fixtures/console-app.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { programOf } from './support/clients.js';

const finding = z.strictObject({
  name: z.string(),
  state: z.enum(['works', 'could be better', 'does not work']),
  message: z.string(),
  advice: z.string().optional(),
});

let server: ConsoleApp;
let owner: ConsoleClient;
let project = '';
beforeAll(async () => {
  server = await startConsoleApp({ SIGNPOST_RATE_PER_MINUTE: '4', SIGNPOST_RATE_PER_DAY: '50' });
  owner = new ConsoleClient(server.url);
  await owner.submit('/signup', {
    email: 'ada@example.org',
    name: 'Ada',
    password: 'a long enough password',
  });
  await owner.submit('/projects', { name: 'Maps' }, '/projects');
  [, project = ''] = /href="(\/projects\/prj_\w+)"/u.exec(await (await owner.get('/overview')).text()) ?? [];
});
afterAll(() => server.close());

const others: (Server | TcpServer)[] = [];
afterEach(() => {
  for (const each of others.splice(0)) {
    if ('closeAllConnections' in each) each.closeAllConnections();
    each.close();
  }
});

async function portOf(listening: Server | TcpServer): Promise<number> {
  others.push(listening);
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const portOfHttp = (answer: RequestListener) => portOf(createServer(answer));

/** Runs `signpost-mcp --check` with these variables to its end. */
async function check(env: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [programOf('signpost-mcp'), '--check', ...words], {
    env: { PATH, HOME, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

const settings = () => ({ SIGNPOST_BASE_URL: server.url, SIGNPOST_API_KEY: server.apiKey });

test('--check with right settings reports on connection, key, limits, directory and address, and exits with 0', async () => {
  server.pass(60_000);
  const { code, stdout } = await check(settings());

  expect(stdout).toMatch(/^✔ Connection: .*revision 20\d\d-\d\d-\d\d .*\d+ tools: .*lookup_postcode/mu);
  expect(stdout).toMatch(/^✔ Sign-in: .*"First project"$/mu);
  expect(stdout).toMatch(/^✔ Limits: 4 per minute \(3 left, new in \d+ s\), 50 per day \(\d+ left/mu);
  expect(stdout).toMatch(/^! Directory: .*sample.*\n {4}.*postcodes import latest/mu);
  expect(stdout).toMatch(new RegExp(`^✔ Address: .*${server.url}/mcp$`, 'mu'));
  expect(code).toBe(0);
});

test('--check --json prints the findings as JSON, with a used-up limit as a warning', async () => {
  const limited = await startConsoleApp({
    SIGNPOST_RATE_PER_MINUTE: 'unlimited',
    SIGNPOST_RATE_PER_DAY: '1',
  });
  await limited.get('/api/usage');
  const env = { SIGNPOST_BASE_URL: limited.url, SIGNPOST_API_KEY: limited.apiKey };
  const { code, stdout } = await check(env, ['--json']);
  await limited.close();

  const findings = z.array(finding).parse(JSON.parse(stdout));
  expect(findings.map(({ name, state }) => [name, state])).toEqual([
    ['Connection', 'works'],
    ['Sign-in', 'works'],
    ['Limits', 'could be better'],
    ['Address', 'works'],
  ]);
  expect(code).toBe(0);
});

test.each([
  ['an unknown key', { SIGNPOST_API_KEY: 'sp_live_wrong' }, /API key.*\n {4}.*SIGNPOST_API_KEY is set/u],
  ['no key', { SIGNPOST_API_KEY: '' }, /There is no API key.*\n {4}.*SIGNPOST_API_KEY is not set/u],
  ['a placeholder', { SIGNPOST_API_KEY: '${KEY}' }, /"\$\{KEY\}", which the client should have replaced/u],
  ['a wrong number', { SIGNPOST_MCP_MAX_WAIT_SECONDS: '1.5' }, /SIGNPOST_MCP_MAX_WAIT_SECONDS/u],
  ['an incomplete base URL', { SIGNPOST_BASE_URL: 'signpost' }, /base URL is not an http or https address/u],
  ['a server that is down', { SIGNPOST_BASE_URL: 'http://127.0.0.1:9' }, /nothing listens there/u],
])('--check reports %s as a failed sign-in, and exits with 1', async (_what, wrong, words) => {
  const { code, stdout } = await check({ ...settings(), ...wrong });

  expect(stdout).toMatch(/^✔ Connection: /mu);
  expect(stdout).toMatch(new RegExp(`^✖ Sign-in: .*${words.source}`, 'mu'));
  expect(stdout).not.toMatch(/Do not call|tell the user/u);
  expect(code).toBe(1);
});

test.each([['captures'], ['postcodes']])('--check accepts a key that may use only %s', async (permission) => {
  server.pass(60_000);
  const answer = await owner.submit(`${project}/keys`, {
    isChosen: 'yes',
    name: permission,
    [permission]: 'yes',
  });
  const [, key = ''] = /id="new-key"[^>]*>(sp_live_\w+)</u.exec(await answer.text()) ?? [];
  const { code, stdout } = await check({ ...settings(), SIGNPOST_API_KEY: key });
  expect(stdout).toMatch(
    new RegExp(
      `^✔ Sign-in: the key is accepted; its limits are not known: This key is for ${permission} only\\.`,
      'mu',
    ),
  );
  expect(stdout).not.toMatch(/✖|Limits/u);
  if (permission === 'captures') expect(stdout).not.toContain('Directory');
  else expect(stdout).toMatch(/^! Directory: .*sample/mu);
  expect(code).toBe(0);
});

test('--check names an address without Signpost, and one that supports only an old TLS version', async () => {
  const notSignpost = await portOfHttp((_request, response) => response.writeHead(404).end('not here'));
  // The alert "protocol version", with which a server that knows no TLS 1.2 ends a handshake.
  const oldTls = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(String.fromCodePoint(0x15, 3, 1, 0, 2, 2, 70)));
  });
  const wrong = { ...settings(), SIGNPOST_BASE_URL: `http://127.0.0.1:${notSignpost}` };
  expect((await check(wrong)).stdout).toMatch(/^✖ Sign-in: The base URL is wrong/mu);
  const old = { ...settings(), SIGNPOST_BASE_URL: `https://user:hidden@127.0.0.1:${await portOf(oldTls)}` };
  const { code, stdout } = await check(old);
  expect(stdout).toMatch(/^✖ Sign-in: .*version of TLS older than 1\.2/mu);
  expect(stdout).not.toContain('hidden');
  expect(code).toBe(1);
});

test('--check reports a directory that is not the sample, and a proxy that does not pass /mcp on', async () => {
  server.pass(60_000);
  const usage = await (await server.get('/api/usage')).text();
  const port = await portOfHttp((request, response) => {
    const bodies: Readonly<Record<string, string>> = {
      '/api/usage': usage,
      '/api/postcode/validate': '{"postcode":"SW1A 1AA","isValid":true,"isActive":true}',
    };
    const body = bodies[request.url ?? ''];
    response
      .writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
      .end(body ?? '{}');
  });
  const { code, stdout } = await check({ ...settings(), SIGNPOST_BASE_URL: `http://127.0.0.1:${port}` });
  expect(stdout).toMatch(/^✔ Sign-in: .*does not say of which project$/mu);
  expect(stdout).toMatch(/^✔ Directory: a whole directory/mu);
  expect(stdout).toMatch(/^! Address: .*answers 404\n {4}.*proxy does not pass \/mcp on/mu);
  expect(code).toBe(0);
});

test('--check --http checks the address at which the program serves', async () => {
  server.pass(60_000);
  const { port } = new URL(server.url);
  const { code, stdout } = await check(settings(), ['--http', '--port', port]);
  expect(stdout).toMatch(/^✔ Connection: http:\S+\/mcp answers/mu);
  expect(stdout).toMatch(/^! Directory: .*sample/mu);
  expect(code).toBe(0);

  const closed = createTcpServer();
  const free = await portOf(closed);
  await new Promise((resolve) => closed.close(resolve));
  const nobody = await check(settings(), ['--http', '--port', String(free)]);
  expect(nobody.stdout).toMatch(/^✖ Connection: \S+\/mcp cannot be used: nothing listens there/mu);
  expect(nobody.code).toBe(1);
  const withoutKey = await check({ SIGNPOST_API_KEY: '' }, ['--http', '--port', port]);
  expect(withoutKey.stdout).toMatch(/^✖ Connection: .*answers 401: .*\n {4}.*SIGNPOST_API_KEY/mu);
});
