import { operations, type Operation } from '@signpost/contract';
import { PAGES } from '../../../server/src/console/page-list.js';
import { addressOf, NO_SAMPLES } from '../../fixtures/every-page.js';
import { malformedBody } from './malformed-bodies.js';
import type { Random } from './random.js';

/** The bytes of a request, and the facts needed to judge its response. */
export interface MalformedRequest {
  readonly bytes: Buffer;
  readonly method: string;
  readonly target: string;
  /** The operation with this method and path; undefined if there is none. */
  readonly operation: Operation | undefined;
}

const PAGE_TARGETS = [
  ...PAGES.map((page) => addressOf(page, NO_SAMPLES)),
  '/keys/__proto__',
  '/operator/accounts/x/keys/1/limits',
  '/apilogin?returnUrl=javascript:alert(1)',
  '/apilogin?returnUrl=%',
  '/apilogin?returnUrl=a&returnUrl=b',
];
const PLACES = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/reference', '/.well-known/jwks.json'];
const TRICKS = [
  ...[
    '//',
    '/..',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%',
    '/%zz',
    '/%00',
    '/%ff%fe',
    '/;a=b',
    '*',
  ],
  ...[
    '/api/postcode/lookup/',
    '/api//postcode/lookup',
    '/API/POSTCODE/LOOKUP',
    '/api/postcode/lookup;x',
    '/api',
  ],
  ...[
    '/assets/../../../secret',
    '/assets/%2e%2e%2fsecret',
    '/assets/',
    '/assets/x/console.css',
    '/__proto__',
  ],
  ...[
    `/${'a'.repeat(3_000)}`,
    `/${'a/'.repeat(500)}`,
    '/?a[b]=c&__proto__[x]=1',
    '/api/usage?%',
    '/constructor',
  ],
  ...[
    'http://elsewhere.example/api/usage',
    '/api/usage#x',
    '/\\..\\..\\secret',
    '/api/usage?' + 'a=b&'.repeat(500),
  ],
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'SEARCH'];
const MEDIA_TYPES = [
  ...[
    'application/json',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'application/json;',
    'json',
    '/',
    '',
  ],
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
  ],
  ...['application/__proto__', 'text/html', 'application/json, text/plain', ';', 'a'.repeat(500)],
];
const ODD_HEADERS = [
  ...[
    'Accept: text/html',
    'Accept: application/json',
    'Accept: */*;q=9',
    'Accept-Encoding: gzip',
    'Range: bytes=9-0',
  ],
  ...[
    'Cookie: session=x',
    'Cookie: form=%; session=%00',
    `Cookie: ${'a=b; '.repeat(200)}`,
    'Origin: null',
    'Host: a',
  ],
  ...[
    'Origin: http://evil.example',
    'X-Forwarded-For: 1.2.3.4',
    'X-Forwarded-For: nonsense',
    'Forwarded: for=x',
  ],
  ...[
    'X-HTTP-Method-Override: DELETE',
    'If-None-Match: *',
    'If-Modified-Since: never',
    'Upgrade: h2c',
    'TE: trailers',
  ],
  ...[
    'Content-Encoding: gzip',
    'Transfer-Encoding-X: chunked',
    'Mcp-Session-Id: x',
    'Mcp-Protocol-Version: 1',
    'A:',
  ],
  ...['Sec-Fetch-Site: cross-site', `X-Long: ${'x'.repeat(4_000)}`, 'X-Bytes: \xe9\xff', 'Last-Event-ID: -1'],
];

const served = Object.values<Operation>(operations);

function credentials(random: Random, apiKey: string): readonly string[] {
  switch (random.below(8)) {
    case 0:
      return [];
    case 1:
      return [`X-Api-Key: ${random.pick(['', 'sp_live_', 'x'.repeat(2_000), `${apiKey}, ${apiKey}`])}`];
    case 2:
      return [
        `Authorization: ${random.pick(['Bearer', 'Bearer x', 'Bearer a.b.c', 'Basic eDp5', `Bearer ${apiKey}`])}`,
      ];
    default:
      return [`X-Api-Key: ${apiKey}`];
  }
}

const chunks = (body: Buffer) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);

/** A request whose end is clear, so that more can follow on the connection. Everything else may be malformed. */
export function malformedRequest(random: Random, apiKey: string): MalformedRequest {
  const asked = random.chance(60) ? random.pick(served) : undefined;
  const target = asked?.path ?? random.pick(random.pick([PAGE_TARGETS, PLACES, TRICKS, ['/mcp']]));
  const usual = asked?.method ?? random.pick(['GET', 'POST']);
  const method = random.chance(85) ? usual : random.pick(METHODS);
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...credentials(random, apiKey)];
  for (let more = random.below(3); more > 0; more -= 1) lines.push(random.pick(ODD_HEADERS));
  if (target === '/mcp') lines.push('Accept: application/json, text/event-stream');
  let body: Buffer = Buffer.alloc(0);
  if (method !== 'GET' && method !== 'HEAD') {
    lines.push(`Content-Type: ${random.chance(80) ? 'application/json' : random.pick(MEDIA_TYPES)}`);
    body = malformedBody(random);
    const isChunked = body.length > 0 && random.chance(15);
    lines.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`);
    if (isChunked) body = chunks(body);
  }
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const isAsked = asked !== undefined && method === asked.method;
  return { bytes: Buffer.concat([head, body]), method, target, operation: isAsked ? asked : undefined };
}

const BROKEN = [
  ...[
    'GET / HTTP/9.9',
    'GET',
    '',
    'get / http/1.1',
    'GET  /  HTTP/1.1',
    'GET / HTTP/1.1 x',
    ' GET / HTTP/1.1',
  ],
  ...['G\xcbT / HTTP/1.1', 'GET /\x00 HTTP/1.1', 'CONNECT a:1 HTTP/1.1', 'GET / HTTP/0.9', 'GET / HTTP/2.0'],
  ...[
    'PRI * HTTP/2.0\r\n\r\nSM',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET /\xff HTTP/1.1',
    'M-SEARCH',
  ],
  ...[
    'GET / HTTP/1.1\r\nA : b',
    'GET / HTTP/1.1\r\n A: b',
    'GET / HTTP/1.1\r\nA\x00: b',
    'GET / HTTP/1.1\r\nA: \x00',
  ],
  ...[
    'GET / HTTP/1.1\r\nA: b\rc',
    'GET / HTTP/1.1\r\n: b',
    'GET / HTTP/1.1\r\nnothing',
    'GET / HTTP/1.1\nA: b',
  ],
  ...['POST / HTTP/1.1\r\nContent-Length: -1', 'POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6'],
  ...[
    'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5',
    'POST / HTTP/1.1\r\nContent-Length: x',
  ],
  ...['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz', 'GET / HTTP/1.1\r\nExpect: nothing'],
];

/** Bytes that leave it unclear where a request ends. Anything after them on the connection is lost. */
export function brokenBytes(random: Random): Buffer {
  switch (random.below(8)) {
    case 0:
      return Buffer.from(Array.from({ length: 1 + random.below(200) }, () => random.below(256)));
    case 1:
      return Buffer.from(`GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`);
    case 2:
      return Buffer.from(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`);
    case 3:
      return Buffer.from(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(3_000)}\r\n`);
    default:
      return Buffer.from(`${random.pick(BROKEN)}\r\n\r\n`, 'latin1');
  }
}
