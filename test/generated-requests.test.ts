import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { errorBody, ERRORS, operations, type Operation } from '@signpost/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { hostileBody, REFUSED_URLS, validBody } from './support/generated-requests.js';
import { exchange, type WireAnswer, type WireRequest } from './support/http-exchange.js';
import { servePages, type Pages } from './support/pages.js';
import { startSignpost, type SignpostServer } from './support/signpost-server.js';

/** The same requests each time; fast-check prints it with the request that failed. */
const SEED = 20_260_102;
const check = <Values extends [unknown, ...unknown[]]>(
  property: fc.IAsyncProperty<Values>,
  numRuns: number,
) => fc.assert(property, { seed: SEED, numRuns, endOnFailure: true });

const served = Object.entries<Operation>(operations).filter(([, operation]) => operation.interface === 'A');
const jsonOperations = served.filter(([, { response }]) => response.kind === 'json');
const operation = fc.constantFrom(...served.map(([, one]) => one));

let server: SignpostServer;
let pages: Pages;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

beforeAll(async () => {
  pages = await servePages();
  server = await startSignpost({
    SIGNPOST_RATE_PER_MINUTE: 'unlimited',
    SIGNPOST_RATE_PER_DAY: 'unlimited',
    SIGNPOST_ALLOW_ADDRESSES: '127.0.0.1',
  });
  const document: unknown = await (await fetch(`${server.url}/openapi.json`)).json();
  if (typeof document !== 'object' || document === null) throw new Error('No OpenAPI document.');
  ajv.addSchema(document, 'openapi.json', false, false);
});
afterAll(async () => {
  expect(server.process.exitCode).toBeNull();
  await server.remove();
  await pages.close();
});

const pointer = (...parts: string[]) =>
  parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');

/** Fails where a body is not what the server's own OpenAPI document says of it. */
function expectDocumented({ path, method }: Operation, status: number, body: unknown): void {
  const place = pointer('paths', path, method.toLowerCase(), 'responses', String(status));
  const $ref = `openapi.json#/${place}/${pointer('content', 'application/json', 'schema')}`;
  const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
  expect([validate(body), validate.errors]).toEqual([true, null]);
}

function refusalIn({ mediaType, body }: WireAnswer): string {
  expect(mediaType).toBe('application/json');
  const { error } = errorBody.strict().parse(JSON.parse(body.toString()));
  expect(error).not.toBe('');
  return error;
}

/** What holds for every answer of an operation, whatever was sent. */
function expectAnswerOf(asked: Operation, answer: WireAnswer): void {
  const { status, mediaType, body } = answer;
  const documented = asked.errors.map((name) => ERRORS[name].status);
  expect([200, ...documented]).toContain(status);
  expect(status).not.toBe(500);
  if (status !== 200) {
    expectDocumented(asked, status, { error: refusalIn(answer) });
  } else if (asked.response.kind === 'json') {
    expect(mediaType).toBe('application/json');
    const answered: unknown = JSON.parse(body.toString());
    expectDocumented(asked, 200, answered);
  } else {
    expect(asked.response.mediaTypes).toContain(mediaType);
    const signatures: readonly string[] = ['\x89PNG', '\xff\xd8\xff\xe0', '%PDF'];
    expect(signatures).toContain(body.subarray(0, 4).toString('latin1'));
  }
}

const send = (request: WireRequest) => exchange(server.url, request);
const withKey = (more: WireRequest['headers'] = {}) => ({
  'X-Api-Key': server.apiKey,
  'Content-Type': 'application/json',
  ...more,
});

/** What a request to an operation has beside its headers; a GET has no body. */
const requestTo = ({ method, path }: Operation, body: unknown): Omit<WireRequest, 'headers'> =>
  body === undefined || method === 'GET'
    ? { method, path }
    : { method, path, body: Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body) };

test.each(jsonOperations)('%s: what its schema takes is answered as the document says', async (id, asked) => {
  const alsoRefused = id === 'lookupPostcode' ? [400, 404] : [];
  const property = fc.asyncProperty(validBody(asked), async (body) => {
    const answer = await send({ ...requestTo(asked, body), headers: withKey() });
    expectAnswerOf(asked, answer);
    expect([200, ...alsoRefused]).toContain(answer.status);
  });
  await check(property, 80);
});

test.each(served)('%s: what its schema does not take is refused as the document says', async (_id, asked) => {
  const property = fc.asyncProperty(hostileBody(asked), async (body) => {
    const answer = await send({ ...requestTo(asked, body), headers: withKey() });
    expectAnswerOf(asked, answer);
    if (answer.status !== 200 || asked.request === undefined) return;
    // A byte order mark before JSON may be ignored.
    const taken: unknown = JSON.parse(body.toString().replace(/^\ufeff/u, ''));
    expect(asked.request.safeParse(taken)).toMatchObject({ success: true });
  });
  await check(property, 120);
});

test('captures: every valid request is a file of a documented type or a refusal', async () => {
  const small = { width: fc.integer({ min: 16, max: 200 }), height: fc.integer({ min: 16, max: 200 }) };
  const url = fc.oneof(
    { weight: 3, arbitrary: fc.webPath({ size: 'small' }).map((path) => `${pages.url}/${path}`) },
    { weight: 1, arbitrary: fc.constantFrom(...REFUSED_URLS) },
  );
  for (const asked of [operations.captureScreenshot, operations.capturePdf]) {
    const size = asked === operations.captureScreenshot ? fc.record(small) : fc.constant({});
    const property = fc.asyncProperty(validBody(asked), size, url, async (body, pixels, address) => {
      const request = { ...body, ...pixels, url: address };
      const answer = await send({ ...requestTo(asked, request), headers: withKey() });
      expectAnswerOf(asked, answer);
      expect(answer.status).toBe(address.startsWith(pages.url) ? 200 : 400);
    });
    await check(property, 12);
  }
});

test('a key that is not one is 401, whatever else is sent', async () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
  });
  const key = fc.oneof(
    fc.constantFrom(undefined, '', 'sp_live_', `sp_live_${'0'.repeat(38)}`, 'x'.repeat(4_000), ['a', 'b']),
    visible.filter((text) => !text.includes('\x7f')),
    visible.filter((text) => !text.includes('\x7f')).map((text) => `sp_live_${text}`),
  );
  const property = fc.asyncProperty(
    operation,
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

test('odd headers and media types are answered or refused as the document says', async () => {
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

test('odd methods and paths are 404 or 405 with Allow, and 400 where the path is none', async () => {
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
    refusalIn(answer);
    expect([400, 404, 405]).toContain(answer.status);
    const allowed = served.find(([, asked]) => asked.path === place)?.[1].method;
    if (allowed !== undefined) expect([answer.status, answer.headers.allow]).toEqual([405, allowed]);
  });
  await check(property, 250);
});

test('bytes that are no HTTP are refused as {error}, or the connection is closed', async () => {
  const { port, hostname } = new URL(server.url);
  const line = fc.constantFrom(
    ...[
      'GET / HTTP/9.9',
      'GET /api/usage HTTP/1.1\r\nHost: a\r\nX-Api-Key : a',
      'GET',
      '\r\n\r\n',
      'CONNECT a:1 HTTP/1.1',
    ],
    ...['POST /api/usage HTTP/1.1\r\nHost: a\r\nContent-Length: -1', 'GET /\x00 HTTP/1.1\r\nHost: a'],
    ...[
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5',
      `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}`,
    ],
    ...[
      'GET /api/usage HTTP/1.1\r\nHost: a\r\nExpect: nothing\r\nConnection: close',
      'GET /api/usage HTTP/1.1\r\nConnection: close',
    ],
  );
  const bytes = fc.oneof(
    line.map((text) => Buffer.from(`${text}\r\n\r\n`, 'latin1')),
    fc.uint8Array({ maxLength: 200 }).map((random) => Buffer.from(random)),
  );
  const property = fc.asyncProperty(bytes, async (sent) => {
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
