import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { inspect } from 'node:util';
import axios from 'axios';
import { createSignpostClient, SignpostApiError } from '../index.js';

const apiKey = 'sp_live_0123456789';
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
const record = {
  postcode: 'SW1A 1AA',
  outcode: 'SW1A',
  incode: '1AA',
  latitude: 51.501,
  longitude: -0.1416,
  easting: 529090,
  northing: 179645,
  country: 'England',
  region: 'London',
  localAuthority: 'Westminster',
  ward: "St James's",
  constituency: 'Cities of London and Westminster',
  lsoa: null,
  msoa: null,
  policeForce: 'Metropolitan Police',
  icb: null,
  isActive: true,
};

let server: Server;
let answer: RequestListener;
let received: { request: IncomingMessage; body: string }[];
let baseUrl: string;

const answers = (status: number, headers: Record<string, string>, body: string | Buffer) => {
  answer = (_request, response) => response.writeHead(status, headers).end(body);
};
const answersJson = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answers(status, { 'content-type': 'application/json; charset=utf-8', ...headers }, JSON.stringify(body));
};
const client = () => createSignpostClient({ baseUrl, apiKey });
const lookUp = () => client().call('lookupPostcode', { postcode: 'sw1a1aa' });

const failureOf = async (call: Promise<unknown>): Promise<SignpostApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof SignpostApiError) return error;
  throw new Error(`No SignpostApiError but ${inspect(error)}`);
};

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ request, body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});

afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

test('posts a lookup with the key as JSON to /api/postcode/lookup, and returns the response', async () => {
  answersJson(200, { result: record });
  await expect(lookUp()).resolves.toEqual({ result: record });
  expect(received).toHaveLength(1);
  expect(received[0]?.request).toMatchObject({ method: 'POST', url: '/api/postcode/lookup' });
  expect(received[0]?.request.headers).toMatchObject({
    'x-api-key': apiKey,
    'content-type': 'application/json',
  });
  expect(received[0]?.body).toBe('{"postcode":"sw1a1aa"}');
});

test('the base URL may have a path, and slashes at its end', async () => {
  answersJson(200, { postcodes: [] });
  const behindProxy = createSignpostClient({ baseUrl: `${baseUrl}/signpost//`, apiKey });
  await behindProxy.call('autocompletePostcode', { partial: 'SW' });
  expect(received[0]?.request.url).toBe('/signpost/api/postcode/autocomplete');
});

test('getUsage, which takes no request, is sent as a GET without a body', async () => {
  const dailyUsage = Array.from({ length: 30 }, (_, day) => ({
    date: `2026-01-${String(day + 1).padStart(2, '0')}`,
    requestCount: day,
  }));
  const usage = {
    totalRequests: 3,
    requestsToday: 2,
    requestsThisMinute: 1,
    averageResponseTimeMs: 1.5,
    lastRequestAt: '2026-01-30T12:00:00.000Z',
    dailyUsage,
  };
  answersJson(200, usage);
  await expect(client().call('getUsage', undefined)).resolves.toEqual(usage);
  expect(received[0]).toMatchObject({ body: '', request: { method: 'GET', url: '/api/usage' } });
});

test('returns a file unchanged, with its media type and header values', async () => {
  const page = {
    'X-Page-Url': 'https://example.com/',
    'X-Page-Title': '',
    'X-Capture-Complete': 'true',
    'X-Page-Rest': 'reached',
  };
  const headers = { 'X-Capture-Time-Ms': '321', 'X-Page-Status': '404', ...page };
  answers(200, { 'content-type': 'image/png', ...headers }, png);
  const file = await client().call('captureScreenshot', { url: 'https://example.com' });
  expect(file).toEqual({
    body: png,
    mediaType: 'image/png',
    headers: { 'X-Capture-Time-Ms': 321, 'X-Page-Status': 404, ...page },
  });
});

test('returns an optional header that a response has, and leaves out one that it does not have', async () => {
  const page = { 'X-Page-Status': '200', 'X-Page-Url': 'https://example.com/', 'X-Page-Title': '' };
  const headers = {
    'X-Capture-Time-Ms': '1',
    'X-Capture-Complete': 'true',
    'X-Page-Rest': 'reached',
    ...page,
    'X-Page-Height': '900',
  };
  answers(200, { 'content-type': 'image/png', ...headers }, png);
  const file = await client().call('captureScreenshot', { url: 'https://example.com', fullPage: true });
  expect(file.headers['X-Page-Height']).toBe(900);
  expect('X-Page-Parts' in file.headers).toBe(false);
});

test("a rejected call throws an error with the status, the server's message and the time to wait", async () => {
  answersJson(429, { error: 'The limit of 5 requests per minute is used up.' }, { 'retry-after': '17' });
  await expect(failureOf(lookUp())).resolves.toMatchObject({
    status: 429,
    message: 'The limit of 5 requests per minute is used up.',
    retryAfterSeconds: 17,
  });
});

test("the error of a rejected capture has the server's message", async () => {
  answersJson(400, { error: 'The name example.invalid was not found.' });
  const error = await failureOf(client().call('capturePdf', { url: 'http://example.invalid' }));
  expect(error).toMatchObject({ status: 400, message: 'The name example.invalid was not found.' });
  expect(error.retryAfterSeconds).toBeUndefined();
});

test('the error about a 502 with an HTML body names the status and the base URL', async () => {
  answers(502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>');
  const error = await failureOf(lookUp());
  expect(error).toMatchObject({ status: 502 });
  expect(error.message).toMatch(/502 without saying why.*base URL/u);
});

test('does not follow a redirect, whose target would receive the key', async () => {
  answers(302, { location: 'http://elsewhere.example/' }, '');
  const error = await failureOf(lookUp());
  expect(error.message).toContain('http://elsewhere.example/');
  expect(received).toHaveLength(1);
});

test.each([
  ['JSON of another shape', 'application/json', '{"result":{"postcode":5}}', /result\.postcode/u],
  ['not JSON', 'text/html', '<html>', /not what the interface says/u],
])('rejects a response that is %s', async (_what, mediaType, body, words) => {
  answers(200, { 'content-type': mediaType }, body);
  expect((await failureOf(lookUp())).message).toMatch(words);
});

test('returns the values of the optional headers of a cached capture', async () => {
  const headers = {
    'content-type': 'image/png',
    'X-Capture-Time-Ms': '321',
    'X-Page-Status': '200',
    'X-Page-Url': 'https://example.com/',
    'X-Page-Title': '',
    'X-Capture-Complete': 'true',
    'X-Page-Rest': 'reached',
    Age: '7',
    'X-Cache': 'hit',
  };
  answers(200, headers, png);
  const answer = await client().call('captureScreenshot', { url: 'https://example.com', maxAgeSeconds: 60 });
  expect(answer.headers).toMatchObject({ Age: 7, 'X-Cache': 'hit' });
});

test.each([
  ['another media type', { 'content-type': 'text/html; charset=utf-8' }, /text\/html, not image\/png/u],
  ['a header missing', { 'content-type': 'image/png', 'X-Page-Status': '200' }, /X-Capture-Time-Ms/u],
  [
    'a header that is not a number',
    { 'content-type': 'image/png', 'X-Capture-Time-Ms': 'fast', 'X-Page-Status': '200' },
    /X-Capture-Time-Ms/u,
  ],
])('rejects a file with %s', async (_what, headers, words) => {
  answers(200, headers, png);
  const error = await failureOf(client().call('captureScreenshot', { url: 'https://example.com' }));
  expect(error.message).toMatch(words);
});

test('names an unreachable server without user and password', async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const address = baseUrl.replace('http://', 'http://someone:hidden@');
  const call = createSignpostClient({ baseUrl: address, apiKey }).call('getUsage', undefined);
  const error = await failureOf(call);
  expect(error.status).toBeUndefined();
  expect(error.message).toContain(`Cannot reach the Signpost server at ${baseUrl}`);
  expect(error.message).not.toContain('hidden');
});

test('gives up on a server that does not respond in time', async () => {
  answer = () => undefined;
  const call = createSignpostClient({ baseUrl, apiKey, timeoutMs: 50 }).call('getUsage', undefined);
  expect((await failureOf(call)).message).toContain('no answer within 0.05 s');
});

test('the caller can abort its call', async () => {
  const controller = new AbortController();
  const reason = new Error('no longer wanted');
  answer = () => {
    controller.abort(reason);
  };
  const call = client().call('getUsage', undefined, { signal: controller.signal });
  await expect(call).rejects.toBe(reason);
});

test.each([
  [
    'a rejection that repeats the key',
    () => {
      answersJson(401, { error: `The key ${apiKey} is unknown.` });
    },
  ],
  [
    'a redirect that repeats the key',
    () => {
      answers(307, { location: `/?key=${apiKey}` }, '');
    },
  ],
  [
    'a broken connection',
    () => {
      answer = (request) => request.socket.destroy();
    },
  ],
  [
    'an answer of another shape',
    () => {
      answersJson(200, { key: apiKey });
    },
  ],
])('keeps the key out of the error for %s', async (_what, prepare) => {
  prepare();
  const error = await failureOf(lookUp());
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(apiKey);
  expect(JSON.stringify(error)).not.toContain(apiKey);
});

test('printing a client does not show its key', () => {
  expect(inspect(client(), { depth: Infinity, showHidden: true })).not.toContain(apiKey);
});

test('sends requests through the given axios instance', async () => {
  answersJson(200, { postcodes: ['SW1A 1AA'] });
  const http = axios.create({ headers: { 'User-Agent': 'someone/1' } });
  await createSignpostClient({ baseUrl, apiKey, http }).call('autocompletePostcode', { partial: 'SW1A' });
  expect(received[0]?.request.headers['user-agent']).toBe('someone/1');
});

test.each(['localhost:3000', 'ftp://example.com', apiKey])(
  'rejects the base URL %p with an error that does not repeat it',
  (text) => {
    const make = () => createSignpostClient({ baseUrl: text, apiKey });
    expect(make).toThrow(/base URL is not an http or https address/u);
    expect(make).not.toThrow(text);
  },
);

test('rejects the address for MCP clients as a base URL, with an explanation', () => {
  expect(() => createSignpostClient({ baseUrl: `${baseUrl}/mcp/`, apiKey })).toThrow(
    'leave out "/mcp" at its end',
  );
});

test('rejects an empty key before any call', () => {
  expect(() => createSignpostClient({ baseUrl, apiKey: '' })).toThrow(/API key is needed/u);
});
