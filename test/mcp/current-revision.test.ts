import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { usageStatistics } from '@signpost/contract';
import { noCaptures } from '../fixtures/capture/no-captures.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { waitUntil } from '../fixtures/wait-until.js';
import { UNLIMITED } from '../fixtures/unlimited.js';
import { programOf } from './support/clients.js';

const REVISION = '2026-07-28';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

let app: ConsoleApp;
/** How many captures are under way. None ends before its caller leaves. */
let capturing = 0;
beforeAll(async () => {
  const capture = (_request: unknown, signal: AbortSignal) => {
    capturing += 1;
    return new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        capturing -= 1;
        reject(new Error('nobody waits'));
      });
    });
  };
  app = await startConsoleApp(
    {
      ...UNLIMITED,
      SIGNPOST_MCP_ALLOWED_ORIGINS: 'https://app.example',
    },
    () => Promise.resolve({ ...noCaptures(), screenshot: capture }),
  );
});
// Requests that are not metered are throttled per minute.
beforeEach(() => app.pass(120_000));
afterAll(() => app.close());

interface Sent {
  readonly method: string;
  readonly params?: Record<string, unknown>;
  readonly meta?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Sends one request with everything that the revision requires, except for the given changes. */
function send({ method, params = {}, meta = envelope, headers = {}, signal }: Sent): Promise<Response> {
  const name = params.name ?? params.uri;
  return fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'X-Api-Key': app.apiKey,
      'Mcp-Protocol-Version': REVISION,
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    ...(signal === undefined ? {} : { signal }),
  });
}
const lookup = {
  method: 'tools/call',
  params: { name: 'lookup_postcode', arguments: { postcode: 'SW1A 1AA' } },
};
const answerOf = async (sent: Sent) => {
  const answer = await send(sent);
  const body: unknown = await answer.json();
  return { status: answer.status, body };
};
const countedSoFar = async () =>
  usageStatistics.parse(await (await app.get('/api/usage')).json()).totalRequests;

const transports = {
  HTTP: () =>
    new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
      requestInit: { headers: { 'X-Api-Key': app.apiKey } },
    }),
  'stdio, signpost-mcp': () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [programOf('signpost-mcp')],
      env: { PATH: process.env.PATH ?? '', SIGNPOST_BASE_URL: app.url, SIGNPOST_API_KEY: app.apiKey },
      stderr: 'ignore',
    }),
} as const;

/** The capabilities of the server, without notifications of changes, because it never changes while it runs. */
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };

describe.each(['HTTP', 'stdio, signpost-mcp'] as const)('over %s', (way) => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
    'a client that supports only the revision %s negotiates it, gets the capabilities and calls a tool',
    async (revision) => {
      const client = new Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: [revision] },
      );
      await client.connect(transports[way]());
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerCapabilities()).toEqual(CAPABILITIES);
      expect(JSON.stringify(await client.callTool(lookup.params))).toContain('Westminster');
      await client.close();
    },
  );
});

describe.each(['HTTP', 'stdio, signpost-mcp'] as const)('over %s', (way) => {
  let client: Client;
  beforeEach(async () => {
    client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: REVISION } } });
    await client.connect(transports[way]());
  });
  afterEach(() => client.close());

  test("the SDK's client for the current revision lists and calls tools, reads resources, completes and gets the prompt", async () => {
    expect(client.getServerCapabilities()).toEqual(CAPABILITIES);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('lookup_postcode');
    const result = await client.callTool(lookup.params);
    expect(JSON.stringify(result)).toContain('Westminster');
    const { contents } = await client.readResource({ uri: 'postcode://SW1A1AA' });
    expect(JSON.stringify(contents)).toContain('Westminster');
    await expect(client.readResource({ uri: 'signpost://nothing' })).rejects.toMatchObject({ code: -32_602 });
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'postcode://{postcode}' },
      argument: { name: 'postcode', value: 'SW1A' },
    });
    expect(completion.values).toContain('SW1A 1AA');
    const { messages } = await client.getPrompt({
      name: 'area_profile',
      arguments: { postcode: 'SW1A 1AA' },
    });
    expect(JSON.stringify(messages)).toContain('SW1A 1AA');
  });

  test('a capture reports progress, and ends when its caller cancels it', async () => {
    const controller = new AbortController();
    const progress: unknown[] = [];
    const endless = client.callTool(
      { name: 'capture_screenshot', arguments: { url: 'https://example.com/' } },
      { signal: controller.signal, onprogress: (one) => void progress.push(one) },
    );
    await waitUntil('the capture is under way', () => capturing === 1 && progress.length > 0);
    controller.abort('no longer wanted');
    await expect(endless).rejects.toThrow(/no longer wanted/u);
    await waitUntil('the capture ended', () => capturing === 0);
  });
});

test('results say that they are complete, and cacheable ones also how long and by whom they may be cached', async () => {
  const kept = { resultType: 'complete', cacheScope: 'public', ttlMs: 3_600_000 };
  for (const method of [
    ...['server/discover', 'tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'],
  ])
    expect((await answerOf({ method })).body).toMatchObject({ result: kept });
  expect(
    (await answerOf({ method: 'resources/read', params: { uri: 'signpost://directory' } })).body,
  ).toMatchObject({ result: { resultType: 'complete', cacheScope: 'private', ttlMs: 300_000 } });
  expect((await answerOf(lookup)).body).toMatchObject({ result: { resultType: 'complete' } });
});

test.each([
  ['an unknown method', { method: 'no/such/method' }, 404, -32_601],
  ['a method of the older era', { method: 'ping' }, 404, -32_601],
  [
    'another revision',
    {
      method: 'tools/list',
      headers: { 'Mcp-Protocol-Version': '2099-01-01' },
      meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    },
    400,
    -32_022,
  ],
  [
    'a header of another revision',
    { method: 'tools/list', headers: { 'Mcp-Protocol-Version': '2025-11-25' } },
    400,
    -32_020,
  ],
  [
    'a header of another method',
    { method: 'tools/list', headers: { 'Mcp-Method': 'prompts/list' } },
    400,
    -32_020,
  ],
  ['a header of another tool', { ...lookup, headers: { 'Mcp-Name': 'get_usage' } }, 400, -32_020],
  [
    'no capabilities',
    { method: 'tools/list', meta: { 'io.modelcontextprotocol/protocolVersion': REVISION } },
    400,
    -32_602,
  ],
  ['no _meta', { method: 'tools/list', meta: {} }, 400, -32_602],
])('a request with %s is rejected as the current revision requires', async (_what, sent, status, code) => {
  expect(await answerOf(sent)).toMatchObject({ status, body: { error: { code } } });
});

test('only messages that run an operation count as requests', async () => {
  const before = await countedSoFar();
  await send({ method: 'server/discover' });
  await send({ method: 'tools/list' });
  await send({ method: 'resources/read', params: { uri: 'signpost://directory' } });
  await send({ ...lookup, headers: { 'Mcp-Name': 'get_usage' } });
  await send(lookup);
  await send({ method: 'resources/read', params: { uri: 'postcode://SW1A1AA' } });
  // The two lookups, and the request for the usage itself.
  expect(await countedSoFar()).toBe(before + 3);
});

test('null as the arguments of a tool call is accepted as no arguments', async () => {
  const { status, body } = await answerOf({
    method: 'tools/call',
    params: { name: 'get_usage', arguments: null },
  });
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ result: expect.objectContaining({ structuredContent: expect.anything() }) }),
  ]);
});

test("a capture ends when its caller's connection ends, with or without progress", async () => {
  for (const meta of [envelope, { ...envelope, progressToken: 1 }]) {
    const controller = new AbortController();
    const params = { name: 'capture_screenshot', arguments: { url: 'https://example.com/' } };
    const gone = send({ method: 'tools/call', params, meta, signal: controller.signal }).then((answer) =>
      answer.text(),
    );
    await waitUntil('the capture is under way', () => capturing === 1);
    controller.abort();
    await expect(gone).rejects.toThrow();
    await waitUntil('the capture ended', () => capturing === 0);
  }
});

test('a client that subscribes to notifications is told that there are none', async () => {
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['signpost://directory'] };
  const answer = await send({ method: 'subscriptions/listen', params: { notifications } });
  const events = await answer.text();
  expect(events).toContain('"notifications":{}');
  expect(events).toContain('"resultType":"complete"');
});

test('the response to an invalid message with a text of 30,000 characters has fewer than 2,000', async () => {
  const long = 'x'.repeat(30_000);
  const wrong: Sent[] = [
    { method: long, headers: { 'Mcp-Method': 'x' } },
    { method: 'tools/list', meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': long } },
    { method: 'resources/read', params: { uri: long }, headers: { 'Mcp-Name': 'x' } },
    { method: 'completion/complete', params: { ref: { type: long }, argument: { name: [long] } } },
    { method: 'tools/call', params: { name: 'lookup_postcode', arguments: { [long]: 1 } } },
  ];
  for (const sent of wrong) expect((await (await send(sent)).text()).length).toBeLessThan(2_000);
});

test('pages of an allowed origin may send the headers of the current revision', async () => {
  const { headers } = await fetch(`${app.url}/mcp`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
  });
  const allowed = headers.get('Access-Control-Allow-Headers')?.split(', ');
  expect(allowed).toEqual(expect.arrayContaining(['Mcp-Method', 'Mcp-Name', 'Mcp-Protocol-Version']));
});
