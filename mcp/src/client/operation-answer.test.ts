import { AREA_FIELDS, operations } from '@signpost/contract';
import { operationAnswer, rejectionOf } from './operation-answer.js';

const rejection = (error: string, headers: Record<string, string> = {}) =>
  rejectionOf({ status: 404, headers, body: Buffer.from(JSON.stringify({ error })) });

test.each<[string, Record<string, string>, string]>([
  ['names the error in a header', { 'x-signpost-error': 'notInDirectory' }, 'No such postcode.'],
  ['is older and says so only in its message', {}, 'There is no postcode ZZ1 1ZZ in the directory.'],
])('recognizes that the directory does not have a postcode, if the server %s', (_how, headers, words) => {
  expect(rejection(words, headers)).toMatchObject({ status: 404, message: words, isNotInDirectory: true });
});

test.each<[string, Record<string, string>]>([
  ['of a Signpost server', { 'x-signpost-error': 'notFound' }],
  ['of another server', {}],
])('reports a wrong base URL for a 404 %s that is not about the directory', (_whose, headers) => {
  const error = rejection('There is nothing at this path.', headers);
  expect(error).toMatchObject({ status: 404, isNotInDirectory: false });
  expect(error.message).toMatch(/^The base URL is wrong \(--base-url, SIGNPOST_BASE_URL\)/u);
});

const AREA_KINDS = [
  ...['country', 'region', 'localAuthority', 'ward', 'constituency', 'lsoa', 'msoa', 'policeForce', 'icb'],
];

describe('reading a response', () => {
  const read = (operation: Parameters<typeof operationAnswer>[0], body: unknown) =>
    operationAnswer(operation, { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) });

  test('accepts a response of an older server without the list "missing", and reads that list as empty', () => {
    expect(read(operations.lookupPostcodes, { results: [], found: 0, notFound: 1 })).toEqual({
      results: [],
      found: 0,
      notFound: 1,
      missing: [],
    });
    expect(read(operations.measureDistance, { results: [null] })).toEqual({ results: [null], missing: [] });
  });

  test('accepts responses of an older server: a directory without "vintages", and a capture without the header X-Page-Rest', () => {
    const directory = {
      edition: '2025-08',
      source: 'ONSPD',
      postcodes: 1,
      importedAt: null,
      isSample: false,
    };
    expect(read(operations.getDirectory, directory)).toMatchObject({
      vintages: { country: null, icb: null },
    });
    const headers = {
      'content-type': 'image/png',
      'x-capture-time-ms': '1',
      'x-page-status': '200',
      'x-page-url': 'https://example.com/',
      'x-page-title': '',
      'x-capture-complete': 'true',
    };
    const file = operationAnswer(operations.captureScreenshot, {
      status: 200,
      headers,
      body: Buffer.from(''),
    });
    expect(file).toMatchObject({ headers: { 'X-Page-Status': 200 } });
  });

  test('accepts a record of an older server without the newer codes and areas', () => {
    const record = {
      postcode: 'SW1A 1AA',
      outcode: 'SW1A',
      incode: '1AA',
      isActive: true,
      latitude: 51.5,
      longitude: -0.14,
      easting: 529_090,
      northing: 179_645,
      ...Object.fromEntries(AREA_KINDS.map((kind) => [kind, null])),
      codes: { ...Object.fromEntries(AREA_KINDS.map((kind) => [kind, null])), ward: 'E05013806' },
      areas: Object.fromEntries(
        AREA_FIELDS.filter((field) => field !== 'crownDependency').map((field) => [field, null]),
      ),
    };
    expect(read(operations.lookupPostcode, { result: record })).toMatchObject({
      result: { codes: { ward: 'E05013806', county: null }, areas: { crownDependency: null } },
    });
  });

  test('rejects a response without a field that every server sends', () => {
    expect(() => read(operations.lookupPostcodes, { found: 0, notFound: 1 })).toThrow(/results/u);
  });
});
