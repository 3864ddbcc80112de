import { gzipSync } from 'node:zlib';
import { LIMITS } from '@signpost/contract';

/** A request whose body is valid for its route. */
export interface Route {
  readonly path: string;
  readonly mediaType: string;
  readonly body: string;
  /** The status of the response if the body is sent honestly. */
  readonly usual: number;
}

const JSON_TYPE = 'application/json';

export const ROUTES: readonly Route[] = [
  { path: '/api/postcode/lookup', mediaType: JSON_TYPE, body: '{"postcode":"SW1A 1AA"}', usual: 200 },
  { path: '/api/token/refresh', mediaType: JSON_TYPE, body: '{"refreshToken":"none"}', usual: 401 },
  { path: '/mcp', mediaType: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}', usual: 200 },
  // A form without its CSRF token.
  {
    path: '/signin',
    mediaType: 'application/x-www-form-urlencoded',
    body: 'email=a&password=b',
    usual: 403,
  },
];

/**
 * The result of sending a body: the status of the first response, or `unanswered` if the connection is closed without
 * one.
 */
type Outcome = number | 'unanswered';

/** A body, and the headers that describe its length. */
export interface LyingBody {
  readonly headers: readonly string[];
  readonly sent: string | Buffer;
  readonly outcomes: readonly Outcome[];
  /** Set if the caller closes its end after sending, because the server would otherwise wait for the rest. */
  readonly isGivenUp?: boolean;
}

const MIB = 1_048_576;
const MAX_BODY = LIMITS.bodyBytes.max;
const GIB = 1_073_741_824;
const chunked = 'Transfer-Encoding: chunked';
const length = (bytes: number | string) => `Content-Length: ${bytes}`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const END = '0\r\n\r\n';
const bomb = gzipSync(Buffer.alloc(50 * MIB, ' '));

/** Known ways to lie about a body, by name. */
export function lyingBodies({ body, usual, path }: Route): Readonly<Record<string, LyingBody>> {
  const honest = body.length;
  const chunks = chunk(body) + END;
  const refused = (headers: readonly string[], sent: string | Buffer = body): LyingBody => ({
    headers,
    sent,
    outcomes: [400],
  });
  const tooLarge = (headers: readonly string[], sent: string | Buffer): LyingBody => ({
    // If the rest of the body is still being sent, the response may be lost when the connection closes.
    headers,
    sent,
    outcomes: [413, 'unanswered'],
  });
  const unfinished = (headers: readonly string[], sent: string): LyingBody => ({
    headers,
    sent,
    outcomes: [400],
    isGivenUp: true,
  });
  const isForm = path === '/signin';
  const gzipped = gzipSync(body);
  // The server never decompresses bodies. As a form, the bytes are an unknown field, possibly too long; as JSON, they
  // are invalid.
  const packed = (sent: Buffer, asField = usual): LyingBody => ({
    headers: ['Content-Encoding: gzip', length(sent.length)],
    sent,
    outcomes: [isForm ? asField : 400],
  });
  return {
    'longer than sent': unfinished([length(honest + 10)], body),
    // The rest of the body is parsed as the next request, which is invalid. The server may notice that before its first
    // response.
    'shorter than sent': { ...refused([length(honest - 5)]), outcomes: isForm ? [400, 403] : [400] },
    'of no length': refused([]),
    'of length and chunks': refused([length(honest), chunked], chunks),
    'of chunks and length': refused([chunked, length(honest)], chunks),
    'of a negative length': refused([length(-5)]),
    'of a signed length': refused([length('+5')]),
    'of a hexadecimal length': refused([length('0x10')]),
    'of a broken length': refused([length('1.5')]),
    'of an empty length': refused([length('')]),
    'of a length past all numbers': refused([length('9'.repeat(40))]),
    'of a list of lengths': refused([length('5, 5')]),
    'of the same length twice': refused([length(honest), length(honest)]),
    'of two lengths': refused([length(honest), length(3)]),
    'in chunks without an end': unfinished([chunked], chunk(body)),
    'in a chunk of 1 GB': unfinished([chunked], `${GIB.toString(16)}\r\n${body}`),
    'in a chunk past all numbers': refused([chunked], `${'F'.repeat(18)}\r\n${body}\r\n`),
    'in a negative chunk': refused([chunked], `-5\r\n${body}\r\n${END}`),
    'chunked twice': refused(['Transfer-Encoding: chunked, chunked'], chunks),
    'of an unknown encoding': refused(['Transfer-Encoding: xchunked']),
    'of the identity encoding': refused(['Transfer-Encoding: identity']),
    'of a spaced-out header': refused(['Transfer-Encoding : chunked'], chunks),
    'gzipped in transfer': { headers: ['Transfer-Encoding: gzip, chunked'], sent: chunks, outcomes: [usual] },
    gzipped: packed(gzipped),
    'a bomb of 50 MB': packed(bomb, 400),
    'of 1 GB announced': tooLarge([length(GIB)], body),
    'of 1 GB announced and expected': tooLarge(['Expect: 100-continue', length(GIB)], ''),
    'of one byte too many': tooLarge([length(MAX_BODY + 1)], 'x'.repeat(MAX_BODY + 1)),
    'of chunks of one byte too many': tooLarge([chunked], chunk('x'.repeat(MAX_BODY + 1)) + END),
  };
}

/** Requests that never end: their beginnings, and the part that is sent repeatedly. */
export const ENDLESS: Readonly<Record<string, { headers: readonly string[]; again: string }>> = {
  'a body of 1 GB': { headers: [length(GIB), ''], again: ' '.repeat(65_536) },
  chunks: { headers: [chunked, ''], again: chunk(' '.repeat(65_536)) },
  'tiny chunks': { headers: [chunked, ''], again: chunk(' ').repeat(8_000) },
  'a chunk extension': { headers: [chunked, '', '1;a='], again: 'a'.repeat(65_536) },
  trailers: { headers: [chunked, '', '0'], again: 'a: b\r\n'.repeat(10_000) },
  headers: { headers: ['A: b'], again: 'a: b\r\n'.repeat(10_000) },
};
