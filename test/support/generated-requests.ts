import type { Operation } from '@signpost/contract';
import fc from 'fast-check';
import { z } from 'zod';

const fieldSchema = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array']).optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().default(-1e9),
  maximum: z.number().default(1e9),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
const requestSchema = z.object({
  properties: z.record(z.string(), fieldSchema),
  required: z.array(z.string()).default([]),
});
type Field = z.output<typeof fieldSchema>;

const POSTCODES = ['SW1A 1AA', 'sw1a1aa', 'EH99 1SP', 'M1 1AE', 'SWIA IAA', 'ZZ99 9ZZ', 'B33 8TH', 'GIR 0AA'];
/** Addresses that no server of the tests may reach: each is refused before anything is sent. */
export const REFUSED_URLS = [
  'http://10.0.0.1/',
  'http://[::1]:1/',
  'http://169.254.169.254/latest/meta-data/',
  'https://user:password@192.168.0.1:8443/?a=b#c',
];

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(...POSTCODES),
);

/** What JSON Schema cannot say of a string, by the name of its field. */
const textOf: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  url: fc.constantFrom(...REFUSED_URLS),
  partial: fc.oneof(
    fc.constantFrom('SW', 'sw1a 1', 'EH9', 'zz', '  M 1'),
    text.filter((typed) => typed.replace(/\s/gu, '').length >= 2),
  ),
  marginTop: fc.constantFrom('1cm', '0.5in', '10mm', '20px', '0px'),
};
const MARGIN = /^margin/u;

function valueOf(name: string, field: Field): fc.Arbitrary<unknown> {
  if (field.enum !== undefined) return fc.constantFrom(...field.enum);
  switch (field.type) {
    case 'integer':
      return fc.integer({ min: field.minimum, max: field.maximum });
    case 'number':
      return fc.double({ min: field.minimum, max: field.maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(text, { minLength: field.minItems ?? 0, maxLength: field.maxItems ?? 10 });
    case 'string':
    case undefined:
      return textOf[MARGIN.test(name) ? 'marginTop' : name] ?? text;
  }
}

/** Bodies that the operation's schema takes, made from its JSON Schema; undefined where it has no body. */
export function validBody({ request }: Operation): fc.Arbitrary<Record<string, unknown> | undefined> {
  if (request === undefined) return fc.constant(undefined);
  const { properties, required } = requestSchema.parse(z.toJSONSchema(request, { io: 'input' }));
  const values = Object.entries(properties).map(([name, field]) => [name, valueOf(name, field)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: required });
}

const nested = (depth: number) =>
  fc.constantFrom(
    `{"postcode":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    `{"postcode":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
    `{"postcodes":[${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}]}`,
    `{"url":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
    '{"a":'.repeat(depth) + '1' + '}'.repeat(depth),
    '['.repeat(depth) + ']'.repeat(depth),
  );

const oddNumber = fc.constantFrom(-1, 0, 1.5, 101, 1e9, 1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER + 2);
const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  oddNumber,
  fc.constantFrom(null, true, [], {}, '', ' ', '\u0000', '\ud800', '\u202e', '💥'.repeat(50)),
  fc.integer({ min: 1, max: 5 }).map((power) => 'x'.repeat(10 ** power)),
  fc.array(text, { minLength: 101, maxLength: 120 }),
);
const oddName = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Url', 'postcode ', ''),
);

/** Bodies that were right until something was done to them, and bodies that never were; as they are sent. */
export function hostileBody(operation: Operation): fc.Arbitrary<string | Buffer> {
  const valid = validBody(operation).map((body) => body ?? {});
  const names = ['url', ...Object.keys(operation.request?.shape ?? {})];
  const spoilt = fc.oneof(
    fc
      .tuple(valid, fc.constantFrom(...names), oddValue)
      .map(([body, name, value]) => ({ ...body, [name]: value })),
    fc.tuple(valid, oddName, oddValue).map(([body, name, value]) => ({ ...body, [name]: value })),
    fc
      .tuple(valid, fc.constantFrom(...names))
      .map(([body, gone]) => Object.fromEntries(Object.entries(body).filter(([name]) => name !== gone))),
    oddValue,
  );
  return fc.oneof(
    { weight: 6, arbitrary: spoilt.map((body) => JSON.stringify(body)) },
    {
      weight: 1,
      arbitrary: fc.tuple(valid, fc.nat(60)).map(([body, end]) => JSON.stringify(body).slice(0, end)),
    },
    { weight: 1, arbitrary: fc.constantFrom(10, 1_000, 20_000, 150_000).chain(nested) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...[
          '',
          'null',
          '[]',
          '{}',
          'NaN',
          '{"postcode":NaN}',
          "{'postcode':'M1 1AE'}",
          '\ufeff{"postcode":"M1 1AE"}',
        ],
        ...['{"postcode":"a","postcode":"SW1A 1AA"}', '{"__proto__":{"postcode":"SW1A 1AA"}}', '1e999'],
        '{"constructor":{"prototype":{"postcode":"SW1A 1AA"}}}',
      ),
    },
  );
}

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

/** What a caller may send that is no HTTP at all, or only nearly. */
export const bytesOfNoHttp = fc.oneof(
  line.map((text) => Buffer.from(`${text}\r\n\r\n`, 'latin1')),
  fc.uint8Array({ maxLength: 200 }).map((random) => Buffer.from(random)),
);
