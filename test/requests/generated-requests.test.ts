import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { errorBody, operations, tokenPair, type Operation } from '@signpost/contract';
import fc from 'fast-check';
import { z } from 'zod';
import { answersOf, rejectionIn } from '../fixtures/documented-answers.js';
import {
  bytesOfNoHttp,
  hostileBody,
  ofOwnPage,
  pageAddress,
  validBody,
} from '../fixtures/generated-requests.js';
import { exchange, type WireRequest } from '../fixtures/http-exchange.js';
import { rounds } from '../fixtures/length.js';
import { servePages, type Pages } from '../fixtures/pages.js';
import { startSignpost, type SignpostServer } from '../fixtures/signpost-server.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

/** The seed of all requests: each run sends the same ones, the short run only the first third of them. */
const SEED = 20_260_102;
const check = <Values extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Values>,
  numRuns: number,
) => fc.assert(property, { seed: SEED, numRuns: Math.ceil(numRuns / rounds(3, 1)), endOnFailure: true });

const served = Object.entries<Operation>(operations);
const isOfInterfaceA = (one: Operation) => one.interface === 'A';
const isCapture = ({ request }: Operation) => request !== undefined && 'html' in request.shape;
const looksUp = served.filter(([, one]) => !isCapture(one));
const operation = fc.constantFrom(...served.map(([, one]) => one));
const shownTokens = z.object({ refreshToken: z.string() });

let server: SignpostServer;
let pages: Pages;
let refreshToken: string;
let accessToken: string;
let expectAnswerOf: ReturnType<typeof answersOf>;

beforeAll(async () => {
  pages = await servePages();
  server = await startSignpost({
    ...UNLIMITED,
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
    SIGNPOST_TRUST_PROXY: '127.0.0.1',
  });
  const { stdout } = await server.run('token', 'show', '--account', 'operator@localhost', '--json');
  ({ refreshToken } = shownTokens.parse(JSON.parse(stdout)));
  const refreshed = await server.post(operations.refreshToken.path, { refreshToken });
  accessToken = tokenPair.parse(await refreshed.json()).access_token;
  const document: unknown = await (await fetch(`${server.url}/openapi.json`)).json();
  expectAnswerOf = answersOf(document);
});
afterAll(async () => {
  expect(server.process.exitCode).toBeNull();
  await server.remove();
  await pages.close();
});

const send = (request: WireRequest) => exchange(server.url, request);
/** Each request comes from a different address, so that wrong refresh tokens do not use up the limit of one. */
let requests = 0;
const forwardedFor = () => {
  requests += 1;
  return { 'X-Forwarded-For': `10.0.${requests >> 8}.${requests & 0xff}` };
};
const withKey = (more: WireRequest['headers'] = {}) => ({
  'X-Api-Key': server.apiKey,
  Authorization: `Bearer ${accessToken}`,
  ...forwardedFor(),
  'Content-Type': 'application/json',
  ...more,
});

/** The method, path and body of a request to an operation. A GET has no body. */
const requestTo = ({ method, path }: Operation, body: unknown): Omit<WireRequest, 'headers'> =>
  body === undefined || method === 'GET'
    ? { method, path }
    : { method, path, body: Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body) };

/** Error statuses of valid requests, by operation, that only the directory or the stored tokens can cause. */
const REFUSED_THOUGH_VALID: Readonly<Record<string, readonly number[]>> = {
  lookupPostcode: [400, 404],
  getOutcode: [400, 404],
  listAreaPostcodes: [400, 404],
  findNearestPostcodes: [400, 404],
  measureDistance: [400, 404],
  refreshToken: [400, 401],
};

test.each(looksUp)('%s: input that matches its schema gets a documented response', async (id, asked) => {
  const alsoRefused = REFUSED_THOUGH_VALID[id] ?? [];
  const property = fc.asyncProperty(validBody(asked), async (body) => {
    const answer = await send({ ...requestTo(asked, body), headers: withKey() });
    expectAnswerOf(asked, answer);
    expect([200, ...alsoRefused]).toContain(answer.status);
  });
  await check(property, 80);
});

test.each(served)('%s: a hostile body is rejected as documented unless it is valid', async (_id, asked) => {
  const property = fc.asyncProperty(hostileBody(asked), async (body) => {
    const answer = await send({ ...requestTo(asked, body), headers: withKey() });
    expectAnswerOf(asked, answer);
    if (answer.status !== 200 || asked.request === undefined) return;
    // The server may ignore a byte order mark before JSON.
    const taken: unknown = JSON.parse(body.toString().replace(/^\ufeff/u, ''));
    expect(asked.request.safeParse(taken)).toMatchObject({ success: true });
  });
  await check(property, 120);
});

test('captures: every valid request succeeds or is rejected as documented', async () => {
  const url = pageAddress(pages.url);
  for (const [id, asked] of served.filter(([, one]) => isCapture(one))) {
    const property = fc.asyncProperty(validBody(asked), ofOwnPage(id), url, async (body, own, address) => {
      const request = { ...body, ...own, url: address };
      const answer = await send({ ...requestTo(asked, request), headers: withKey() });
      expectAnswerOf(asked, answer);
      expect(answer.status).toBe(address.startsWith(pages.url) ? 200 : 400);
    });
    await check(property, 12);
  }
});

test('a valid refresh token works even with an empty or invalid Authorization header', async () => {
  const header = fc.constantFrom('', 'Bearer', 'Bearer x', 'Basic eDp5', `Bearer ${'x'.repeat(500)}`);
  const property = fc.asyncProperty(header, async (authorization) => {
    const headers = withKey({ Authorization: authorization });
    const answer = await send({ ...requestTo(operations.refreshToken, { refreshToken }), headers });
    expectAnswerOf(operations.refreshToken, answer);
    expect(answer.status).toBe(200);
  });
  await check(property, 20);
});

test('an invalid access token is 401, and the response does not repeat it', async () => {
  const visible = fc.string({
    minLength: 4,
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  const changed = fc
    .tuple(fc.nat(accessToken.length - 1), fc.constantFrom('A', 'B', '.', '-', '='))
    .map(([index, character]) => accessToken.slice(0, index) + character + accessToken.slice(index + 1));
  const sent = fc.oneof(visible, changed, fc.constantFrom(refreshToken, server.apiKey, 'x'.repeat(4_000)));
  const scheme = fc.constantFrom('Bearer ', 'bearer ', '', 'Basic ', 'Bearer  ');
  const asked = operations.getTokenStatus;
  const property = fc.asyncProperty(scheme, sent, async (start, token) => {
    fc.pre(token !== accessToken);
    const answer = await send({
      ...requestTo(asked, undefined),
      headers: withKey({ Authorization: start + token }),
    });
    expectAnswerOf(asked, answer);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer(?: error="invalid_token")?$/u);
    if (token.length > 12) expect(rejectionIn(answer)).not.toContain(token);
  });
  await check(property, 150);
});

test('an invalid key is 401 at every operation of interface A, whatever the body', async () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
  });
  const key = fc.oneof(
    fc.constantFrom(undefined, '', 'sp_live_', `sp_live_${'0'.repeat(38)}`, 'x'.repeat(4_000), ['a', 'b']),
    visible.filter((text) => !text.includes('\x7f')),
    visible.filter((text) => !text.includes('\x7f')).map((text) => `sp_live_${text}`),
  );
  const withApiKey = fc.constantFrom(...Object.values<Operation>(operations).filter(isOfInterfaceA));
  const property = fc.asyncProperty(
    withApiKey,
    fc.constantFrom('{}', '{', 'null'),
    key,
    async (asked, body, sent) => {
      const headers = {
        'Content-Type': 'application/json',
        ...(sent === undefined ? {} : { 'X-Api-Key': sent }),
      };
      const answer = await send({ ...requestTo(asked, body), headers });
      expectAnswerOf(asked, answer);
      expect(answer.status).toBe(401);
    },
  );
  await check(property, 150);
});

test('odd headers and media types are accepted or rejected as documented', async () => {
  const odd = fc.dictionary(
    fc.constantFrom(
      'Accept',
      'Content-Encoding',
      'Range',
      'X-HTTP-Method-Override',
      'Origin',
      'Forwarded',
      'Via',
    ),
    fc
      .oneof(fc.constantFrom('*/*', 'gzip', 'DELETE', 'bytes=0-1', '-1'), fc.string({ maxLength: 30 }))
      .map((text) => text.replace(/[^\x20-\x7e]/gu, '')),
  );
  const type = fc.constantFrom(
    ...[
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/json;',
      'text/plain',
    ],
    ...[
      'application/json; charset=utf-16',
      'application/jsonx',
      'text/html',
      'multipart/form-data',
      'json',
      '/',
      ';',
    ],
    ...['application/x-www-form-urlencoded', 'application/problem+json', ' ', 'application/json, text/plain'],
  );
  const property = fc.asyncProperty(operation, odd, type, async (asked, more, mediaType) => {
    const headers = withKey({ ...more, 'Content-Type': mediaType });
    const answer = await send({ ...requestTo(asked, '{"postcode":"SW1A 1AA"}'), headers });
    expectAnswerOf(asked, answer);
  });
  await check(property, 200);
});

test('odd methods and paths are 404 or 405 with Allow, and an invalid path is 400', async () => {
  const known = new Set(['/', '/healthz', '/readyz', '/metrics', '/openapi.json']);
  const segment = fc.oneof(
    fc.constantFrom(
      'api',
      'postcode',
      'lookup',
      'usage',
      '..',
      '.',
      '%2e%2e',
      '%',
      '%zz',
      '%00',
      '%ff',
      ';',
      '*',
      '',
    ),
    fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text)),
    fc.constant('x'.repeat(3_000)),
  );
  const path = fc.oneof(
    operation.map((asked) => asked.path),
    fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
  );
  const method = fc.constantFrom(
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'SEARCH',
  );
  const query = fc.constantFrom('', '?', '?a=b', '?%', '?__proto__=1');
  const isServed = (verb: string, place: string) =>
    served.some(([, asked]) => asked.method === verb && place.replace(/\/+$/u, '') === asked.path);
  const property = fc.asyncProperty(method, path, query, async (verb, place, search) => {
    fc.pre(!isServed(verb, place) && !known.has(place));
    const answer = await send({ method: verb, path: place + search, headers: withKey() });
    rejectionIn(answer);
    expect([400, 404, 405]).toContain(answer.status);
    const allowed = served.find(([, asked]) => asked.path === place)?.[1].method;
    if (allowed !== undefined) expect([answer.status, answer.headers.allow]).toEqual([405, allowed]);
  });
  await check(property, 250);
});

test('bytes that are not HTTP are rejected with {error}, or the connection is closed', async () => {
  const { port, hostname } = new URL(server.url);
  const property = fc.asyncProperty(bytesOfNoHttp, async (sent) => {
    const socket = connect({ port: Number(port), host: hostname });
    await once(socket, 'connect');
    socket.end(sent);
    const answer = (await buffer(socket)).toString();
    if (answer === '') return;
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /u);
    const body: unknown = JSON.parse(/\{.*\}/su.exec(answer)?.[0] ?? 'null');
    expect([answer, errorBody.strict().safeParse(body).success]).toEqual([answer, true]);
  });
  await check(property, 80);
  expect((await send({ method: 'GET', path: '/api/usage', headers: withKey() })).status).toBe(200);
});
