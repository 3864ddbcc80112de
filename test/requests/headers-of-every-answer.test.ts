import { once } from 'node:events';
import { connect } from 'node:net';
import { operations, type Operation } from '@signpost/contract';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { AnswerReader, type RawAnswer } from '../fixtures/raw-answers.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsoleApp(UNLIMITED);
});
afterAll(() => app.close());

/** Sends a text, which need not be HTTP, and reads the first response. */
async function answerTo(text: string): Promise<RawAnswer> {
  const { port, hostname } = new URL(app.url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  const reader = new AnswerReader();
  const answers: RawAnswer[] = [];
  socket.on('data', (chunk: Buffer) => {
    answers.push(...reader.add(chunk, () => text.startsWith('HEAD')));
    if (answers.length > 0) socket.destroy();
  });
  await once(socket, 'close');
  const [answer] = answers;
  if (answer === undefined) throw new Error('The connection ended without an answer.');
  return answer;
}

const request = (line: string, headers: Readonly<Record<string, string>> = {}, body = '') =>
  [
    `${line} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `\r\n${body}`,
  ].join('\r\n');

const lookUp = '{"postcode":"SW1A 1AA"}';
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const ids = new Set<string>();
const mcpTypes = { Accept: 'application/json, text/event-stream' };
const key = () => ({ 'X-Api-Key': app.apiKey });

const unauthorised = Object.values<Operation>(operations).map(
  ({ method, path }): [string, number, () => string] => [
    `${method} ${path} without credentials`,
    path === '/api/token/refresh' ? 400 : 401,
    () => request(`${method} ${path}`, {}, method === 'GET' ? '' : '{}'),
  ],
);

test.each<[string, number, () => string]>([
  ['a lookup', 200, () => request('POST /api/postcode/lookup', key(), lookUp)],
  ['an unknown postcode', 404, () => request('POST /api/postcode/lookup', key(), '{"postcode":"ZZ99 9ZZ"}')],
  ['a wrong request', 400, () => request('POST /api/postcode/lookup', key(), '{')],
  ['the usage', 200, () => request('GET /api/usage', key())],
  ...unauthorised,
  ['a path that is not there', 404, () => request('GET /nothing')],
  ['a page that is not there', 404, () => request('GET /nothing', { Accept: 'text/html' })],
  ['a path that is not valid', 400, () => request('GET /api/%zz')],
  ['a wrong method', 405, () => request('PUT /api/postcode/lookup')],
  ['a wrong method of a link', 405, () => request(`POST /c/${'a'.repeat(22)}`)],
  ['a long path without a route', 404, () => request(`GET /c/${'a'.repeat(200)}`)],
  ['a HEAD', 200, () => request('HEAD /healthz')],
  ['the health', 200, () => request('GET /healthz')],
  ['the readiness', 200, () => request('GET /readyz')],
  ['an expectation', 417, () => request('POST /api/postcode/lookup', { Expect: 'more' })],
  ['headers that are too large', 431, () => request('GET /healthz', { 'X-Long': 'x'.repeat(20_000) })],
  ['what is not HTTP', 400, () => 'hello\r\n\r\n'],
  ['an MCP client', 200, () => request('POST /mcp', { ...key(), ...mcpTypes }, initialize)],
  ['an MCP client without a key', 401, () => request('POST /mcp', mcpTypes, initialize)],
  ['an MCP client that opens a stream', 405, () => request('GET /mcp', mcpTypes)],
  ['the preflight of an MCP client', 204, () => request('OPTIONS /mcp')],
])(
  'the response to %s, %i, forbids caching and type guessing, and has its own request id',
  async (_what, status, text) => {
    const answer = await answerTo(text());
    expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const id = answer.headers['x-request-id'] ?? '';
    expect(id).toMatch(/^[\w-]{12}-[\da-z]{8}-\d+$/u);
    expect(ids).not.toContain(id);
    ids.add(id);
  },
);

test.each(['/openapi.json', '/.well-known/jwks.json'])('%s may be cached for a minute', async (path) => {
  const { status, headers } = await answerTo(request(`GET ${path}`));
  expect([status, headers['cache-control'], headers['x-content-type-options']]).toEqual([
    200,
    'public, max-age=60',
    'nosniff',
  ]);
});

test('X-Signpost-Error distinguishes a postcode or area missing from the directory from an unknown path', async () => {
  const unknown = (path: string, body: object) => request(`POST ${path}`, key(), JSON.stringify(body));
  const named = async (text: string) => {
    const { status, headers } = await answerTo(text);
    return [status, headers['x-signpost-error']];
  };
  for (const text of [
    unknown('/api/postcode/lookup', { postcode: 'ZZ99 9ZZ' }),
    unknown('/api/postcode/nearest', { postcode: 'ZZ99 9ZZ' }),
    unknown('/api/postcode/outcode', { outcode: 'ZZ99' }),
    unknown('/api/postcode/area', { kind: 'constituency', name: 'Nowhere' }),
  ])
    expect(await named(text)).toEqual([404, 'notInDirectory']);
  expect(await named(unknown('/api/api/postcode/lookup', { postcode: 'SW1A 1AA' }))).toEqual([
    404,
    'notFound',
  ]);
  expect(await named(unknown('/api/postcode/lookup', { postcode: 5 }))).toEqual([400, 'invalidRequest']);
  expect(await named(request('GET /api/usage'))).toEqual([401, 'unauthorized']);
});
