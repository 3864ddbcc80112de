import { z } from 'zod';
import {
  ERRORS,
  errorBody,
  LIMITS,
  operations,
  postcodeRecord,
  ANSWER_HEADERS,
  RATE_LIMIT_HEADERS,
  tokenPair,
  usageStatistics,
  type Operation,
} from './index.js';
import { API_KEY_ERRORS } from './errors.js';

/** The parts of a field's JSON Schema that these tests use. */
const fieldSchema = z.object({
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
const objectSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), fieldSchema),
  required: z.array(z.string()).default([]),
  additionalProperties: z.literal(false),
});

const all: readonly (readonly [string, Operation])[] = Object.entries(operations);
const withRequest = all.flatMap(([id, { request }]) =>
  request === undefined ? [] : [[id, request] as const],
);

/** The form of a converted schema with an id: a reference to its definition in `$defs`. */
const namedSchema = z.object({ $ref: z.string(), $defs: z.record(z.string(), z.unknown()) });

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const converted = z.toJSONSchema(schema, { io });
  const named = namedSchema.safeParse(converted).data;
  return objectSchema.parse(named?.$defs[named.$ref.replace('#/$defs/', '')] ?? converted);
};
const fieldOf = (schema: z.ZodType, name: string): z.output<typeof fieldSchema> =>
  jsonSchema(schema, 'input').properties[name] ?? {};

describe('the table of operations', () => {
  test('no two operations share a method and a path', () => {
    const places = all.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  test('the interface has exactly the documented endpoints', () => {
    const endpoints = all.map(([, { interface: side, method, path }]) => `${side} ${method} ${path}`);
    expect(endpoints).toEqual([
      'A POST /api/screenshot',
      'A POST /api/pdf',
      'A POST /api/content',
      'A POST /api/link',
      'A POST /api/postcode/lookup',
      'A POST /api/postcode/bulk',
      'A POST /api/postcode/validate',
      'A POST /api/postcode/nearest',
      'A POST /api/postcode/autocomplete',
      'A POST /api/postcode/outcode',
      'A POST /api/postcode/area',
      'A GET /api/postcode/directory',
      'A POST /api/postcode/distance',
      'A POST /api/postcode/reverse',
      'A POST /api/postcode/find',
      'A GET /api/usage',
      'B GET /api/token/status',
      'B POST /api/token/refresh',
    ]);
  });

  test.each(all)('operation %s: a GET takes no body, a POST takes one', (_id, { method, request }) => {
    expect(request === undefined).toBe(method === 'GET');
  });

  test.each(all)('%s has a title and a description; only interface A needs an API key', (_id, operation) => {
    const { interface: side, authentication, title, description } = operation;
    expect(authentication === 'apiKey').toBe(side === 'A');
    expect(title).toMatch(/^[A-Z].*[^.]$/u);
    expect(description).toMatch(/^[A-Z].*\.$/su);
  });

  test.each(all)(
    'operation %s lists no error twice, and lists those of its interface and body',
    (_id, operation) => {
      const { errors, request, interface: side } = operation;
      expect(new Set(errors).size).toBe(errors.length);
      expect(errors).toEqual(expect.arrayContaining(['unauthorized', 'internal']));
      if (side === 'A') expect(errors).toEqual(expect.arrayContaining([...API_KEY_ERRORS]));
      const ofBody = ['invalidRequest', 'payloadTooLarge', 'unsupportedMediaType'];
      expect(errors.filter((name) => ofBody.includes(name))).toHaveLength(request === undefined ? 0 : 3);
    },
  );

  test.each(all)(
    'operation %s names for n8n only fields of its own request, and is for MCP only if it belongs to interface A',
    (_id, operation) => {
      const { interface: side, mcp, n8n, request } = operation;
      const named = [...(n8n?.parameters ?? []), ...Object.keys(n8n?.fields ?? {})];
      expect(named.filter((field) => request === undefined || !(field in request.shape))).toEqual([]);
      // The MCP tools have only an API key, which works for interface A only.
      expect(mcp === undefined || side === 'A').toBe(true);
    },
  );

  test.each(all)('operation %s describes every response header', (_id, { responseHeaders }) => {
    for (const { description } of Object.values({
      ...responseHeaders,
      ...ANSWER_HEADERS,
      ...RATE_LIMIT_HEADERS,
    }))
      expect(description).toMatch(/\.$/u);
  });
});

describe('requests', () => {
  test.each(withRequest)(
    'the request of %s converts to a JSON Schema that describes each of its fields and accepts no others',
    (_id, schema) => {
      const { properties } = jsonSchema(schema, 'input');
      expect(Object.keys(properties)).toEqual(Object.keys(schema.shape));
      for (const [name, { description }] of Object.entries(properties))
        expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].*[.;)]/su)]);
    },
  );

  test.each(withRequest)('each default in the request of %s is accepted by its field', (_id, schema) => {
    for (const [name, field] of Object.entries(jsonSchema(schema, 'input').properties)) {
      if (field.default === undefined) continue;
      const { error } = schema.safeParse({ [name]: field.default });
      expect(error?.issues.filter(({ path }) => path[0] === name) ?? []).toEqual([]);
      if (typeof field.default !== 'number') continue;
      expect(field.default).toBeGreaterThanOrEqual(field.minimum ?? NaN);
      expect(field.default).toBeLessThanOrEqual(field.maximum ?? NaN);
    }
  });

  test.each(withRequest)('the request of %s rejects an unknown field', (_id, schema) => {
    const { error } = schema.safeParse({ unknownField: 1 });
    expect(error?.issues).toContainEqual(expect.objectContaining({ code: 'unrecognized_keys' }));
  });
});

test.each(all.filter(([, { response }]) => response.kind === 'json'))(
  'every field of the response of %s except "result" is described',
  (_id, { response }) => {
    if (response.kind !== 'json') throw new Error('Not JSON.');
    const { properties } = jsonSchema(response.schema, 'output');
    const undescribed = Object.entries(properties).filter(([, field]) => field.description === undefined);
    // The result needs no description: it is a named record or one fixed word.
    expect(undescribed.map(([name]) => name).filter((name) => name !== 'result')).toEqual([]);
  },
);

describe('the interface, table by table', () => {
  const screenshot = operations.captureScreenshot.request;
  const pdf = operations.capturePdf.request;
  const nearest = operations.findNearestPostcodes.request;
  const url = 'https://example.com/';

  test('a screenshot request without a page is rejected; format defaults to png, and fullPage to false', () => {
    const defaults = { fullPage: false, format: 'png' };
    expect(screenshot.parse({ url })).toMatchObject({ url, ...defaults });
    expect(Object.keys(screenshot.shape)).toEqual(expect.arrayContaining(['url', ...Object.keys(defaults)]));
    expect(screenshot.safeParse({}).error?.issues).toMatchObject([{ path: ['url'] }]);
    expect(fieldOf(screenshot, 'format').enum).toEqual(['png', 'jpeg', 'webp']);
    for (const [side, pixels] of [
      ['width', 1920],
      ['height', 1080],
    ] as const) {
      // The width and height have no default in the schema, because a device sets its own.
      expect(fieldOf(screenshot, side)).toMatchObject({ type: 'integer' });
      expect(fieldOf(screenshot, side).default).toBeUndefined();
      expect(fieldOf(screenshot, side).description).toContain(`unset: ${pixels}, or the device's`);
    }
  });

  test('url accepts only whole http and https addresses', () => {
    for (const schema of [screenshot, pdf]) {
      for (const wrong of [
        '',
        'example.com',
        '//example.com',
        'ftp://example.com',
        'javascript:1',
        'file:///etc',
      ])
        expect([wrong, schema.safeParse({ url: wrong }).success]).toEqual([wrong, false]);
      for (const right of ['http://example.com', 'HTTPS://EXAMPLE.com/a?b#c', 'http://[::1]:8080/'])
        expect([right, schema.safeParse({ url: right }).success]).toEqual([right, true]);
    }
  });

  test('a PDF request defaults to A4 portrait at scale 1, with backgrounds and without header and footer', () => {
    const defaults = {
      format: 'A4',
      landscape: false,
      printBackground: true,
      scale: 1,
      displayHeaderFooter: false,
    };
    const margins = ['marginTop', 'marginBottom', 'marginLeft', 'marginRight'];
    expect(pdf.parse({ url })).toMatchObject({ url, ...defaults });
    expect(Object.keys(pdf.shape)).toEqual(
      expect.arrayContaining(['url', ...Object.keys(defaults), ...margins]),
    );
    const sizes = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Ledger', 'Legal', 'Letter', 'Tabloid'];
    expect(fieldOf(pdf, 'format').enum?.toSorted()).toEqual(sizes);
    for (const margin of margins) expect(pdf.safeParse({ url, [margin]: '1.5cm' }).success).toBe(true);
  });

  test('a postcode record, a usage response and a token pair have the documented fields', () => {
    expect(Object.keys(postcodeRecord.shape)).toEqual([
      ...['postcode', 'outcode', 'incode', 'latitude', 'longitude', 'easting', 'northing', 'country'],
      ...[
        'region',
        'localAuthority',
        'ward',
        'constituency',
        'lsoa',
        'msoa',
        'policeForce',
        'icb',
        'isActive',
        'codes',
        'areas',
        'history',
      ],
    ]);
    expect(Object.keys(usageStatistics.shape)).toEqual([
      ...['totalRequests', 'requestsToday', 'requestsThisMinute', 'averageResponseTimeMs', 'lastRequestAt'],
      'dailyUsage',
    ]);
    expect(Object.keys(tokenPair.shape)).toEqual(['result', 'access_token', 'refresh_token', 'valid_to']);
  });

  test('a search for nearest postcodes defaults to 10 results within 2,000 metres, and bounds its coordinates', () => {
    const point = { latitude: 51.5, longitude: -0.1 };
    expect(nearest.parse(point)).toEqual({ ...point, limit: 10, radiusMetres: 2000 });
    expect(fieldOf(nearest, 'latitude')).toMatchObject({ type: 'number', minimum: -90, maximum: 90 });
    expect(fieldOf(nearest, 'longitude')).toMatchObject({ type: 'number', minimum: -180, maximum: 180 });
    expect(fieldOf(nearest, 'radiusMetres').type).toBe('number');
  });

  test('a screenshot is a PNG, JPEG or WebP; the response with a PDF has a header with its page count', () => {
    expect(operations.captureScreenshot.response.mediaTypes).toEqual([
      'image/png',
      'image/jpeg',
      'image/webp',
    ]);
    expect(operations.capturePdf.response.mediaTypes).toEqual(['application/pdf']);
    expect(Object.keys(operations.captureScreenshot.responseHeaders)).toContain('X-Capture-Time-Ms');
    expect(Object.keys(operations.capturePdf.responseHeaders)).toEqual(
      expect.arrayContaining(['X-Generation-Time-Ms', 'X-Page-Count']),
    );
  });

  test('an error body needs only "error", and the statuses of four common errors are 400, 401, 429 and 500', () => {
    expect(Object.keys(errorBody.shape)).toEqual(['error', 'suggestions']);
    expect(errorBody.safeParse({ error: 'Only this is required.' }).success).toBe(true);
    const { invalidRequest, unauthorized, rateLimited, internal } = ERRORS;
    expect([invalidRequest, unauthorized, rateLimited, internal].map(({ status }) => status)).toEqual([
      400, 401, 429, 500,
    ]);
  });

  test('the limits of the free tier and of five request fields, and the lifetime of access tokens, are the documented ones', () => {
    expect(LIMITS.freeTier).toEqual({ requestsPerMinute: 5, requestsPerDay: 20 });
    expect(fieldOf(operations.lookupPostcodes.request, 'postcodes').maxItems).toBe(100);
    expect(fieldOf(nearest, 'limit')).toMatchObject({ minimum: 1, maximum: 100 });
    expect(fieldOf(nearest, 'radiusMetres')).toMatchObject({ minimum: 100, maximum: 20_000 });
    expect(fieldOf(pdf, 'scale')).toMatchObject({ minimum: 0.1, maximum: 2 });
    expect(LIMITS.accessTokenLifetimeMinutes).toBe(180);
    const { request } = operations.autocompletePostcode;
    expect(['S', ' S ', 'SW', 'S W'].map((partial) => request.safeParse({ partial }).success)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
