import { request as httpRequest } from 'node:http';
import { errorBody, usageStatistics } from '@signpost/contract';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { connectHttp, wordsOf } from './support/clients.js';
import { HUGE_PAGES } from './support/huge-pages.js';

let server: SignpostServer;
let pages: Pages;
/** How often the page that never ends was requested. After the first request, its capture has the only slot. */
let endlessCaptures = 0;
beforeAll(async () => {
  pages = await servePages({
    ...HUGE_PAGES,
    '/never': (request, response) => {
      endlessCaptures += 1;
      HUGE_PAGES['/never'](request, response);
    },
  });
  server = await startSignpost({
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    SIGNPOST_CAPTURE_CONCURRENCY: '1',
    SIGNPOST_CAPTURE_QUEUE: '0',
    SIGNPOST_MCP_ALLOWED_ORIGINS: 'https://app.example',
  });
});
afterAll(async () => {
  await server.remove();
  await pages.close();
});

const endpoint = () => `${server.url}/mcp`;
const createKey = async (...limits: string[]) => {
  const { stdout } = await server.run(
    ...['key', 'create', '--account', 'operator@localhost', '--project', 'First project', '--json'],
    ...limits,
  );
  return /sp_live_\w{38}/u.exec(stdout)?.[0] ?? '';
};
const usageOf = async (apiKey: string) =>
  usageStatistics.parse(await (await server.get('/api/usage', apiKey)).json()).totalRequests;

const message = (method: string, params: object = {}, id = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** Sends one message with these headers, some of which fetch would not send. */
const send = (headers: Record<string, string>, body = message('tools/list'), method = 'POST') =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const sent = httpRequest(
        endpoint(),
        {
          method,
          headers: {
            ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
            Accept: 'application/json, text/event-stream',
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(method === 'POST' ? body : undefined);
    },
  );

const INVALID = 'error="invalid_token", ';
const challenge = (error: string) =>
  `Bearer ${error}resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp", scope="mcp"`;

const withKey = (more: Record<string, string> = {}) => ({ 'X-Api-Key': server.apiKey, ...more });

test.each([
  ['no key', {}, ''],
  ['an empty key', { 'X-Api-Key': '' }, ''],
  ['another scheme', { Authorization: 'Basic c29tZW9uZTpzb21ldGhpbmc=' }, ''],
  ['a text that is not a key', { 'X-Api-Key': 'nonsense' }, INVALID],
  ['a bearer that is not a token', { Authorization: 'Bearer nonsense' }, INVALID],
])('a request with %s gets a 401 that says what to send', async (_what, headers, error) => {
  const answer = await send(headers);
  expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge(error)]);
  expect(errorBody.strict().parse(JSON.parse(answer.text)).error).toMatch(/API key/u);
  expect(answer.text).not.toContain('nonsense');
});

test('the key may be sent as X-Api-Key or as Bearer', async () => {
  expect((await send(withKey())).status).toBe(200);
  expect((await send({ Authorization: `Bearer ${server.apiKey}` })).status).toBe(200);
});

test('a request with a revoked key gets 401, also if it is a tool call', async () => {
  const apiKey = await createKey();
  expect((await send({ 'X-Api-Key': apiKey })).status).toBe(200);
  expect((await server.run('key', 'revoke', apiKey.slice(0, 16))).code).toBe(0);
  for (const body of [undefined, message('tools/call', { name: 'get_usage' })]) {
    const { status, headers, text } = await send({ 'X-Api-Key': apiKey }, body);
    expect([status, headers['www-authenticate']]).toEqual([401, challenge(INVALID)]);
    expect(JSON.parse(text)).toEqual({ error: 'The API key is not valid: it is unknown or revoked.' });
  }
});

test.each([
  ['an Origin from elsewhere', 403, { Origin: 'https://evil.example' }],
  ['the Origin null', 403, { Origin: 'null' }],
  ['a foreign Host', 421, { Host: 'evil.example' }],
  ['a foreign Host with its own Origin', 421, { Host: 'evil.example', Origin: 'http://evil.example' }],
])('a request with %s gets %i, with the right key or without', async (_what, status, headers) => {
  for (const key of [{}, withKey()]) {
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const answer = await send({ ...key, ...headers }, undefined, method);
      expect([method, answer.status]).toEqual([method, status]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  }
});

test('pages of a configured origin may send requests and read responses, also with a preflight', async () => {
  const origin = { Origin: 'https://app.example' };
  const preflight = await send({ ...origin, 'Access-Control-Request-Method': 'POST' }, undefined, 'OPTIONS');
  expect(preflight.status).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': expect.stringContaining('X-Api-Key'),
  });
  const answer = await send(withKey(origin));
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([
    200,
    'https://app.example',
  ]);
});

test.each(['GET', 'DELETE'])(
  'a %s request to the MCP endpoint gets 405 and the header "Allow: POST"',
  async (method) => {
    const answer = await send(withKey(), undefined, method);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  },
);

test('a body that is not JSON, too large or not a message is rejected', async () => {
  expect((await send(withKey(), '{')).status).toBe(400);
  expect((await send(withKey(), '{"jsonrpc":"1.0"}')).status).toBe(400);
  expect((await send(withKey(), JSON.stringify('x'.repeat(2_000_000)))).status).toBe(413);
});

test('a tool can be called without any earlier request, and with an unknown session', async () => {
  const lookup = message('tools/call', { name: 'lookup_postcode', arguments: { postcode: 'SW1A 1AA' } });
  for (const session of [{}, { 'Mcp-Session-Id': 'from-before-the-restart' }]) {
    const answer = await send(withKey(session), lookup);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Westminster');
  }
});

test('tool calls, postcode resources and completions count as requests, but no call with a wrong argument and no list', async () => {
  const apiKey = await createKey('--per-minute', 'unlimited', '--per-day', 'unlimited');
  const { client, call, close } = await connectHttp(endpoint(), { 'X-Api-Key': apiKey });
  await client.listResources();
  await client.listPrompts();
  await client.ping();
  expect(await usageOf(apiKey)).toBe(1);
  await call('lookup_postcode', { postcode: 'SW1A 1AA' });
  await call('lookup_postcode', { postcode: 'nonsense' });
  await call('lookup_postcode', { wrong: true });
  await client.readResource({ uri: 'postcode://SW1A1AA' });
  await client.readResource({ uri: 'signpost://directory' });
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'postcode://{postcode}' },
    argument: { name: 'postcode', value: 'SW1A' },
  });
  expect(completion.values).toContain('SW1A 1AA');
  // Two lookups, the resource and the completion are counted. The wrong argument reached no operation, and the edition
  // is not metered.
  expect(await usageOf(apiKey)).toBe(6);
  const { structuredContent } = await call('get_usage');
  expect(structuredContent).toMatchObject({ totalRequests: 7 });
  await close();
});

test("calls beyond the key's limit are rejected with the time to wait", async () => {
  const apiKey = await createKey('--per-minute', 'unlimited', '--per-day', '3');
  const { call, close } = await connectHttp(endpoint(), { 'X-Api-Key': apiKey });
  const results = await Promise.all(
    Array.from({ length: 5 }, () => call('validate_postcode', { postcode: 'SW1A 1AA' })),
  );
  const refused = results.filter(({ isError }) => isError);
  expect(refused).toHaveLength(2);
  for (const result of refused)
    expect(wordsOf(result)).toMatch(
      /3 requests per day, is used up[\s\S]*Do not call this server again for \d+ (?:hours?|minutes?|seconds?);/u,
    );
  await close();
});

test('a capture reports progress, and a cancelled one frees the browser for the next', async () => {
  const { call, close } = await connectHttp(endpoint(), { 'X-Api-Key': server.apiKey });
  const controller = new AbortController();
  const before = endlessCaptures;
  const progress: Progress[] = [];
  const endless = call(
    'capture_screenshot',
    { url: `${pages.url}/never` },
    {
      signal: controller.signal,
      onprogress: (one) => {
        progress.push(one);
      },
    },
  );
  await waitUntil('the capture is under way', () => endlessCaptures > before && progress.length > 0);
  expect(progress[0]).toMatchObject({ progress: 1, message: 'Capturing the page as png' });
  const busy = await server.post('/api/screenshot', { url: pages.url });
  expect(busy.status).toBe(503);

  controller.abort('no longer wanted');
  await expect(endless).rejects.toThrow(/no longer wanted/u);
  await waitUntil(
    'the browser is free',
    async () => (await server.post('/api/screenshot', { url: pages.url })).status === 200,
  );
  await close();
});

test('a capture whose caller disconnects frees the browser', async () => {
  const controller = new AbortController();
  const before = endlessCaptures;
  const gone = fetch(endpoint(), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...withKey(),
    },
    body: message('tools/call', { name: 'capture_pdf', arguments: { url: `${pages.url}/never` } }),
    signal: controller.signal,
  }).then((response) => response.text());
  await waitUntil('the capture is under way', () => endlessCaptures > before);
  controller.abort();
  await expect(gone).rejects.toThrow();
  await waitUntil(
    'the browser is free',
    async () => (await server.post('/api/screenshot', { url: pages.url })).status === 200,
  );
});

test('a client cannot cancel the call of another client with the same id', async () => {
  const mine = await connectHttp(endpoint(), { 'X-Api-Key': server.apiKey });
  const other = await connectHttp(endpoint(), { 'X-Api-Key': server.apiKey });
  const progress: Progress[] = [];
  const controller = new AbortController();
  const before = endlessCaptures;
  const options = { signal: controller.signal, onprogress: (one: Progress) => void progress.push(one) };
  const endless = mine.call('capture_screenshot', { url: `${pages.url}/never` }, options).catch(String);
  await waitUntil('the capture is under way', () => endlessCaptures > before && progress.length > 0);
  for (let requestId = 0; requestId < 10; requestId += 1)
    await other.client.notification({ method: 'notifications/cancelled', params: { requestId } });
  expect((await server.post('/api/screenshot', { url: pages.url })).status).toBe(503);
  controller.abort('enough');
  expect(await endless).toContain('enough');
  await Promise.all([mine.close(), other.close()]);
});

test('the resource of the directory says that it is a sample, and unknown resources are rejected', async () => {
  const { client, close } = await connectHttp(endpoint(), { 'X-Api-Key': server.apiKey });
  const { contents } = await client.readResource({ uri: 'signpost://directory' });
  expect(JSON.stringify(contents)).toContain('sample');
  await expect(client.readResource({ uri: 'postcode://ZZ999ZZ' })).rejects.toMatchObject({ code: -32_602 });
  await expect(client.readResource({ uri: 'signpost://nothing' })).rejects.toMatchObject({ code: -32_602 });
  await close();
});

test('null as the arguments of a tool call is accepted as no arguments', async () => {
  const body = message('tools/call', { name: 'get_usage', arguments: null });
  const answer = await send({ 'X-Api-Key': server.apiKey }, body);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('totalRequests');
});
