import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { LIMITS, maxBodyBytesOf, type Operation, operations } from '@signpost/contract';
import { rejectionOf } from '../fixtures/answers.js';
import { ConsoleClient } from '../fixtures/console-client.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

let app: ConsoleApp;
let apiKey = '';
beforeAll(async () => {
  app = await startConsoleApp({
    ...UNLIMITED,
    SIGNPOST_TRUST_PROXY: '127.0.0.1',
  });
  apiKey = app.first.key;
});
afterAll(() => app.close());

const { max: maxBytes } = LIMITS.bodyBytes;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const postOperations = Object.values<Operation>(operations).filter(({ method }) => method === 'POST');
const paths = [...postOperations.map(({ path }) => path), '/mcp'];

/** Each request comes from a different address, so that none is throttled. */
let sent = 0;
function post(path: string, body: string, mediaType = JSON_TYPE) {
  sent += 1;
  return fetch(app.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': mediaType,
      Accept: 'application/json, text/event-stream',
      'X-Api-Key': apiKey,
      'X-Forwarded-For': `10.0.${sent >> 8}.${sent & 255}`,
    },
    body,
  });
}

const message = (method: string, params: object, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const fields = (count: number, name = 'a') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, index]));
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Every field that a body can have. Fields that several operations share appear once. */
function fieldsOnce() {
  const fieldsOf = ({ path, request }: Operation) =>
    Object.entries(request?.shape ?? {}).map(([name, schema]) => ({ path, name, schema }));
  const bySchema = new Map(postOperations.flatMap(fieldsOf).map((field) => [field.schema, field]));
  return [...bySchema.values()];
}

/** The largest body in bytes, by path, of operations that accept more than 64 KiB: text search and captures. */
const LARGER = new Map<string, number>([
  [operations.findPostcodesInText.path, 655_360],
  [operations.captureScreenshot.path, 10_485_760],
  [operations.capturePdf.path, 10_485_760],
  [operations.readPage.path, 10_485_760],
]);

test('each operation except captures and text search accepts at most 64 KiB, and says so', async () => {
  const { path: ofText } = operations.findPostcodesInText;
  for (const operation of postOperations)
    expect(maxBodyBytesOf(operation)).toBe(LARGER.get(operation.path) ?? 65_536);
  expect((await rejectionOf(post(ofText, ' '.repeat(655_361)))).body.error).toContain('at most 640 KiB');
  const tooLong = post(operations.capturePdf.path, ' '.repeat(10_485_761));
  expect((await rejectionOf(tooLong)).body.error).toContain('at most 10 MiB');
  for (const path of paths.filter((one) => !LARGER.has(one))) {
    const { status, body } = await rejectionOf(post(path, ' '.repeat(maxBytes + 1)));
    expect([path, status]).toEqual([path, 413]);
    expect(body.error).toContain('at most 64 KiB');
    expect((await post(path, ' '.repeat(maxBytes))).status).toBe(400);
  }
  const form = await post('/signin', 'a'.repeat(maxBytes + 1), FORM_TYPE);
  expect([form.status, await form.text()]).toEqual([413, expect.stringContaining('at most 64 KiB')]);
});

test('no error response to a body with many, deep or long values has more than 4,096 characters', async () => {
  const quotes = '"'.repeat(30_000);
  const bodiesOfAll = [JSON.stringify(fields(LIMITS.bodyValues.max)), JSON.stringify({ [quotes]: 1 })];
  const bodies = (name: string) => [
    JSON.stringify(fields(LIMITS.bodyValues.max, name)),
    JSON.stringify({ [name]: quotes }),
    JSON.stringify({ [name]: '\u0000'.repeat(10_000) }),
    JSON.stringify({ [name]: Array.from({ length: LIMITS.bodyValues.max - 1 }, () => 1) }),
    JSON.stringify({ [name]: fields(LIMITS.bodyValues.max - 1) }),
    `{"${name}":${nested(500)}}`,
    `{"${name}":${nested(500)},"__proto__":1}`,
  ];
  const messages = [
    message('tools/call', { name: 'get_usage', arguments: fields(400) }),
    message('tools/call', { name: quotes, arguments: {} }),
    message('prompts/get', { name: 'area_profile', arguments: fields(400) }),
    message('completion/complete', { ref: {}, argument: {}, context: { arguments: fields(400) } }),
    message('resources/read', { uri: quotes }),
    message('ping', {}, quotes),
    message(quotes, {}),
    message('initialize', fields(400)),
  ];
  const all = [
    ...postOperations.flatMap(({ path }) => bodiesOfAll.map((body) => [path, body] as const)),
    ...fieldsOnce().flatMap(({ path, name }) => bodies(name).map((body) => [path, body] as const)),
    ...messages.map((body) => ['/mcp', body] as const),
  ];
  for (const [path, body] of all) {
    // A page that loads slowly would not be rejected, so nothing here is a valid address.
    const answer = await post(path, body);
    const text = await answer.text();
    const isRefused = answer.status >= 400 || text.includes('"error"') || text.includes('"isError"');
    if (isRefused && text.length > LIMITS.errorBytes.max)
      throw new Error(`${path} ${body.slice(0, 100)}: ${answer.status} with ${text.length} characters`);
  }
});

test('if a body has many problems, the error names only five of them', async () => {
  const { status, body } = await rejectionOf(post('/api/postcode/lookup', JSON.stringify(fields(500))));
  expect(status).toBe(400);
  expect(body.error.match(/is not a field|is missing/gu)).toHaveLength(5);
  expect(body.error).toMatch(/; and more\.$/u);
  const wrong = { postcodes: Array.from({ length: 100 }, () => 1) };
  const list = await rejectionOf(post('/api/postcode/bulk', JSON.stringify(wrong)));
  expect(list.body.error.match(/must be a string/gu)).toHaveLength(5);
});

test.each([...postOperations.map(({ path }) => path), '/mcp'])(
  'a body with too many values for %s is rejected before it is parsed',
  async (path) => {
    const { parse } = JSON;
    let longest = 0;
    JSON.parse = (text: string, ...others) => {
      longest = Math.max(longest, text.length);
      const parsed: unknown = parse(text, ...others);
      return parsed;
    };
    try {
      for (const body of [JSON.stringify(fields(4_000)), nested(30_000)]) {
        const { status, body: rejection } = await rejectionOf(post(path, body));
        expect([status, rejection.error]).toEqual([400, expect.stringContaining('at most 512 are accepted')]);
      }
      expect(longest).toBeLessThan(10_000);
    } finally {
      JSON.parse = parse;
    }
  },
);

test('commas and brackets inside a string do not count as values', async () => {
  const postcode = `SW1A 1AA${'[,{"'.repeat(2_000)}`;
  const { body } = await rejectionOf(post('/api/postcode/lookup', JSON.stringify({ postcode })));
  expect(body.error).toContain('must be a whole UK postcode');
});

test.each(['/api/postcode/lookup', '/api/screenshot', '/mcp'])(
  'a wrong key at %s is rejected before any of the body is sent',
  async (path) => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = httpRequest(app.url + path, {
        method: 'POST',
        headers: { 'Content-Type': JSON_TYPE, 'Content-Length': 60_000, 'X-Api-Key': 'none' },
      });
      sending.once('response', ({ statusCode }) => {
        resolve(statusCode);
        sending.destroy();
      });
      sending.once('error', reject);
      sending.flushHeaders();
    });
    expect(status).toBe(401);
  },
);

test('a rejected request closes the connection if its body is above the limit, and keeps it if the body is at the limit', async () => {
  const connectionOf = async (bytes: number) => {
    const answer = await new Promise<string | undefined>((resolve, reject) => {
      const sending = httpRequest(`${app.url}/api/postcode/lookup`, {
        method: 'POST',
        headers: { 'Content-Type': JSON_TYPE, 'Content-Length': bytes },
      });
      sending.once('response', ({ headers }) => {
        resolve(headers.connection);
        sending.destroy();
      });
      sending.once('error', reject);
      sending.flushHeaders();
    });
    return answer;
  };
  expect(await connectionOf(maxBytes + 1)).toBe('close');
  expect(await connectionOf(maxBytes)).toBe('keep-alive');
});

describe('the forms of the console', () => {
  test.each([
    [
      'many fields',
      Array.from({ length: 101 }, (_, index) => `a${index}=`).join('&'),
      'more than 100 fields',
    ],
    ['one field many times', 'email=&'.repeat(101), 'more than 100 fields'],
    ['a long field', `email=${'"'.repeat(8_193)}`, 'a field of more than 8192 characters'],
  ])('a form with %s is rejected before its CSRF token is checked', async (_what, body, words) => {
    const answer = await post('/signin', body, FORM_TYPE);
    const text = await answer.text();
    expect([answer.status, text]).toEqual([400, expect.stringContaining(words)]);
    expect(text.length).toBeLessThan(LIMITS.errorBytes.max);
  });

  test('a form with 100 fields is read, and only part of a long field is sent back', async () => {
    const visitor = new ConsoleClient(app.url);
    const many = Object.fromEntries(Array.from({ length: 97 }, (_, index) => [`more${index}`, '']));
    const answer = await visitor.submit('/signin', { ...many, email: '"'.repeat(8_000), password: 'x' });
    expect(answer.status).toBe(401);
    // A thousand of the characters, each escaped to six.
    expect((await answer.text()).length).toBeLessThan(6_000 + LIMITS.errorBytes.max);
  });
});

test.each([
  [1_023, 'gets a response', 400],
  [1_025, 'gets no response', undefined],
])('a body of %d pieces of one byte %s', async (pieces, _what, status) => {
  const { hostname, port } = new URL(app.url);
  const answered = await new Promise<number | undefined>((resolve) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('data', (chunk) => {
      received += String(chunk);
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received === '' ? undefined : Number(received.slice(9, 12))));
    socket.write(
      `POST /api/token/refresh HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.9.0.1\r\nContent-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(pieces)}0\r\n\r\n`,
    );
  });
  expect(answered).toBe(status);
});
