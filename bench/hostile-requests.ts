import { LIMITS } from '@signpost/contract';

/** A request that the server rejects, made so that the rejection costs the server much. */
export interface HostileRequest {
  readonly path: string;
  /** Describes the body. */
  readonly content: string;
  readonly mediaType: string;
  readonly body: string;
  /** Whose API key it has: one that all requests marked "common" share, one that only this request uses, or none. */
  readonly key: 'common' | 'own' | 'none';
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A body of at most `bytes`: a beginning, as many parts as fit, and an end. */
function full(
  bytes: number,
  begin: string,
  part: (index: number) => string,
  end: string,
  between = ',',
): string {
  const parts: string[] = [];
  let left = bytes - begin.length - end.length;
  for (let index = 0; ; index += 1) {
    const next = part(index);
    left -= next.length + between.length;
    if (left < 0) break;
    parts.push(next);
  }
  return begin + parts.join(between) + end;
}

/** A body of at most `bytes`: a beginning, as many nested brackets as fit, and an end. */
function nested(bytes: number, begin: string, end: string): string {
  const depth = Math.floor((bytes - begin.length - end.length) / 2);
  return begin + '['.repeat(depth) + ']'.repeat(depth) + end;
}

const text = (bytes: number, begin: string, character: string, end: string) =>
  begin + character.repeat(bytes - begin.length - end.length) + end;

/** Slightly fewer values than a body may have. */
const TAKEN = LIMITS.bodyValues.max - 12;

const field = (index: number) => `"a${index}":1`;

/**
 * Invalid bodies for an operation that has the field `name`, by a description of the body. Most of them have about
 * `bytes` bytes.
 */
const jsonBodies = (bytes: number, name: string): Readonly<Record<string, string>> => ({
  'unknown fields': full(bytes, '{', field, '}'),
  'misspelt fields': full(bytes, '{', (index) => `"${name}${index}":1`, '}'),
  'as many fields as are taken': `{${Array.from({ length: TAKEN }, (_, index) => field(index)).join(',')}}`,
  'as many wrong entries': `{"${name}":[${Array.from({ length: TAKEN }, () => '1').join(',')}]}`,
  'one long name': text(bytes, '{"', name, '":1}')
    .slice(0, bytes - 4)
    .concat('":1}'),
  'wrong entries': full(bytes, `{"${name}":[`, () => '1', ']}'),
  'fields in a field': full(bytes, `{"${name}":{`, field, '}}'),
  'nested lists': nested(bytes, `{"${name}":`, '}'),
  'nested lists and a forbidden name': nested(bytes, `{"${name}":`, ',"__proto__":1}'),
  'a long text': text(bytes, `{"${name}":"`, 'x', '"}'),
  'a text of spaces': text(bytes, `{"${name}":"`, ' ', '"}'),
});

const message = (method: string, params: string) => [
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}{`,
  '}}}',
];

const mcpBodies = (bytes: number): Readonly<Record<string, string>> => {
  const filled = (method: string, params: string, part = field) => {
    const [begin = '', end = ''] = message(method, params);
    return full(bytes, begin, part, end);
  };
  const ping = () => '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  return {
    'fields in _meta': filled('tools/list', '{"_meta":'),
    'as many fields in _meta as are taken':
      filled('tools/list', '{"_meta":').split(',').slice(0, TAKEN).join(',') + '}}}',
    'unknown arguments': filled('tools/call', '{"name":"get_usage","arguments":'),
    'wrong arguments of a prompt': filled('prompts/get', '{"name":"area_profile","arguments":'),
    'a batch': full(bytes, '[', ping, ']'),
    'nested lists': nested(bytes, '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":', '}}'),
    'a long number of its own': text(bytes, '{"jsonrpc":"2.0","id":"', 'x', '","method":"nothing"}'),
  };
};

const ROUTES = [
  { path: '/api/token/refresh', name: 'refreshToken', key: 'none' },
  { path: '/api/postcode/lookup', name: 'postcode', key: 'common' },
  { path: '/api/postcode/bulk', name: 'postcodes', key: 'common' },
  { path: '/api/postcode/nearest', name: 'latitude', key: 'common' },
  { path: '/api/postcode/autocomplete', name: 'partial', key: 'common' },
  { path: '/api/screenshot', name: 'url', key: 'common' },
  { path: '/api/pdf', name: 'marginTop', key: 'common' },
] as const;

const requests = (
  path: string,
  bodies: Readonly<Record<string, string>>,
  mediaType: string,
  key: HostileRequest['key'],
): HostileRequest[] =>
  Object.entries(bodies).map(([content, body]) => ({ path, content, mediaType, body, key }));

/** Hostile requests for several kinds of routes. Most of them have bodies of about `bytes` bytes. */
export const hostileRequests = (bytes: number): HostileRequest[] => [
  ...ROUTES.flatMap(({ path, name, key }) => requests(path, jsonBodies(bytes, name), JSON_TYPE, key)),
  ...requests('/mcp', mcpBodies(bytes), JSON_TYPE, 'own'),
  ...requests('/mcp', { 'no key': full(bytes, '{', field, '}') }, JSON_TYPE, 'none'),
  ...requests('/api/postcode/lookup', { 'no key': full(bytes, '{', field, '}') }, JSON_TYPE, 'none'),
  ...requests(
    '/signin',
    {
      'form fields': full(bytes, '', (index) => `a${index}=`, '', '&'),
      'one field again and again': full(bytes, '', () => 'email=', '', '&'),
      'a long field': text(bytes, 'email=', '"', '&password=x'),
      escapes: full(bytes, 'email=', () => '%22', '', ''),
    },
    FORM_TYPE,
    'none',
  ),
];
