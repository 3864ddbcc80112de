import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { noCaptures } from '../fixtures/capture/no-captures.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { connectHttp, programOf, wordsOf } from './support/clients.js';

let server: ConsoleApp;
beforeAll(async () => {
  const page = {
    pageStatus: 200,
    isComplete: true,
    pageRest: 'reached' as const,
    pageUrl: 'https://example.com/',
    pageTitle: 'A title',
  };
  const pdf = () => Promise.resolve({ body: Buffer.from('%PDF'), durationMs: 1, pageCount: 1, ...page });
  server = await startConsoleApp(UNLIMITED, () => Promise.resolve({ ...noCaptures(), pdf }));
});
afterAll(() => server.close());

const running: ChildProcess[] = [];
afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));

/** Starts `signpost-mcp --http` on any free port. Returns its process and the address of its endpoint. */
async function startStandalone(environment: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [programOf('signpost-mcp'), '--http', '--port', '0'], {
    env: { PATH, HOME, SIGNPOST_BASE_URL: server.url, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const url = await new Promise<string>((resolve) => {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const found = /Listening at (\S+)/u.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, url };
}

const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

test.each([
  ['*/*', 'application/json'],
  ['', 'application/json'],
  ['application/json', 'application/json'],
  ['text/event-stream', 'text/event-stream'],
  ['application/json, text/event-stream', 'application/json'],
  ['text/html, application/*;q=0.9', 'application/json'],
])(
  'a client whose Accept header is %j gets %s, also at a path that ends in a slash',
  async (accept, type) => {
    const { url } = await startStandalone({ SIGNPOST_API_KEY: server.apiKey });
    for (const address of [url, `${url}/`, `${server.url}/mcp`, `${server.url}/mcp/`]) {
      const answer = await post(address, { Accept: accept, 'X-Api-Key': server.apiKey });
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
        200,
        expect.stringContaining(type),
      ]);
      expect(await answer.text()).toContain('lookup_postcode');
    }
  },
);

test('signpost-mcp over HTTP with a key of its own serves callers on its machine that send none', async () => {
  const { url } = await startStandalone({ SIGNPOST_API_KEY: server.apiKey });
  const { call, client, close } = await connectHttp(url, {});
  expect(wordsOf(await call('lookup_postcode', { postcode: 'SW1A 1AA' }))).toContain('Westminster');
  const { contents } = await client.readResource({ uri: 'signpost://directory' });
  expect(JSON.stringify(contents)).toContain(server.url);
  await close();
});

test('signpost-mcp over HTTP without a key requires one of each caller, and otherwise responds with 401', async () => {
  const { url } = await startStandalone({});
  const refused = await post(url);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const { call, close } = await connectHttp(url, { Authorization: `Bearer ${server.apiKey}` });
  expect(wordsOf(await call('validate_postcode', { postcode: 'SW1A 1AA' }))).toContain('Yes');
  await close();
  const stranger = await connectHttp(url, { 'X-Api-Key': 'nonsense' });
  await expect(stranger.call('get_usage')).rejects.toMatchObject({ code: 401 });
  await stranger.close();
});

test("the address of a PDF is at the program's own port, or at its public address", async () => {
  const capture = async (environment: Record<string, string>) => {
    const { url } = await startStandalone({ SIGNPOST_API_KEY: server.apiKey, ...environment });
    const { call, close } = await connectHttp(url, {});
    const words = wordsOf(await call('capture_pdf', { url: 'https://example.com/' }));
    await close();
    return { url, address: /https?:\S+\/files\/\S+/u.exec(words)?.[0] ?? '' };
  };
  const { url, address } = await capture({});
  expect(new URL(address).origin).toBe(new URL(url).origin);
  expect(await (await fetch(address)).text()).toBe('%PDF');
  const gone = await fetch(`${address}0`);
  expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('capture the page again')]);
  const elsewhere = await capture({ SIGNPOST_MCP_PUBLIC_URL: 'https://mcp.example/' });
  expect(elsewhere.address).toMatch(/^https:\/\/mcp\.example\/files\/[\w-]{22}$/u);
});

test('a request whose Origin is another host gets 403, and one whose Origin is that of the program gets 200', async () => {
  const { url } = await startStandalone({ SIGNPOST_API_KEY: server.apiKey });
  expect((await post(url, { Origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(url, { Origin: new URL(url).origin })).status).toBe(200);
});

test('signpost-mcp over HTTP rejects other paths with 404, other methods with 405, and invalid bodies with 400 or 413', async () => {
  const { url } = await startStandalone({ SIGNPOST_API_KEY: server.apiKey });
  expect((await post(new URL('/', url).href)).status).toBe(404);
  expect((await fetch(url)).status).toBe(405);
  const headers = { 'Content-Type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body: '{' })).status).toBe(400);
  expect((await fetch(url, { method: 'POST', headers, body: 'x'.repeat(2_000_000) })).status).toBe(413);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'signpost-mcp over HTTP exits with 0 at %s while a client is connected',
  async (signal) => {
    const { child, url } = await startStandalone({ SIGNPOST_API_KEY: server.apiKey });
    const { close } = await connectHttp(url, {});
    child.kill(signal);
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    await close();
  },
);
