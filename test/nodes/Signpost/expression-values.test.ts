import { capturePdf, captureScreenshot, readPage } from '../../../nodes/Signpost/capture/capture-operations';
import { listAreaPostcodes } from '../../../nodes/Signpost/postcode/area';
import { lookupPostcode } from '../../../nodes/Signpost/postcode/look-up';
import { lookupPostcodes } from '../../../nodes/Signpost/postcode/look-up-many';
import { measureDistance } from '../../../nodes/Signpost/postcode/measure-distance';
import { getUsage } from '../../../nodes/Signpost/usage';
import { contractOperation } from '../../../nodes/shared/contract-operations';
import { success } from '../fixtures/fake-execution';
import { bulk, listOf, record, run } from '../fixtures/new-node';

// An expression may return another type than the field of the editor has, such as a number from a table.

const url = 'https://a.test/';
const page = () => success({ result: { content: 'Hello' } });
const pdf = () => success(Buffer.from('%PDF'), { 'content-type': 'application/pdf' });

test('a number is sent as text if it is a selector, a text to find or the value of a header', async () => {
  const { bodies } = await run(readPage, {
    parameters: {
      url,
      longPagesOptions: { findTexts: [2024, '', 'tea', null], selector: 7 },
      signinCookiesAndHeadersOptions: { headers: { values: [{ name: 'X-Year', value: 2024 }] } },
    },
    answer: page,
  });
  expect(bodies[0]).toMatchObject({
    findTexts: ['2024', 'tea'],
    selector: '7',
    headers: { 'X-Year': '2024' },
  });
});

test('an option that is a list of texts is not sent if all its entries are blank', async () => {
  const { bodies } = await run(readPage, {
    parameters: { url, longPagesOptions: { findTexts: ['', ' '] } },
    answer: page,
  });
  expect(bodies[0]).not.toHaveProperty('findTexts');
});

test('the file name of a capture, and the names of the fields for its file and its result, can be numbers', async () => {
  const { output } = await run(capturePdf, {
    parameters: { url, binaryPropertyName: 7, options: { fileName: 2041, resultField: 5 } },
    answer: pdf,
  });
  expect(output[0]).toMatchObject({
    json: { 5: { fileName: '2041.pdf', binaryField: '7' } },
    binary: { 7: { fileName: '2041.pdf' } },
  });
});

test.each([
  ['"codes, areas"', 'codes, areas'],
  ['JSON', '["codes","areas"]'],
  ['a list in a list', [['codes', 'areas']]],
])('the option Include may be %s', async (_how, include) => {
  const one = await run(lookupPostcode, {
    parameters: { postcode: 'SW1A 1AA', options: { include } },
    answer: () => success({ result: record('SW1A 1AA') }),
  });
  expect(one.bodies[0]).toMatchObject({ include: ['codes', 'areas'] });
  const many = await run(lookupPostcodes, {
    parameters: { source: 'list', postcodes: 'SW1A 1AA', options: { include } },
    answer: bulk,
  });
  expect(many.bodies[0]).toMatchObject({ include: ['codes', 'areas'] });
});

test.each(['ward, policeForce', '["ward","policeForce"]', ['ward', 'policeForce']])(
  'the selected fields may be %j',
  async (recordFields) => {
    const { json } = await run(lookupPostcode, {
      parameters: { postcode: 'SW1A 1AA', recordOutput: 'fields', recordFields },
      answer: () => success({ result: record('SW1A 1AA') }),
    });
    expect(json).toEqual([{ ward: "St James's", policeForce: 'Metropolitan Police' }]);
  },
);

const area = { area: { kind: 'ward', code: null, name: 'Abbey' }, total: 1, postcodes: ['IG11 1AA'] };

test.each([
  ['false', false, 1],
  ['TRUE', 'true', 1_000],
])('switches of the node understand the values %j and %j', async (oneItemPerResult, returnAll, limit) => {
  const { json, bodies } = await run(listAreaPostcodes, {
    parameters: {
      findBy: 'name',
      kind: 'ward',
      areaName: 1984,
      returnAll,
      maxResults: '1',
      oneItemPerResult,
    },
    answer: () => success(area),
  });
  expect(bodies).toEqual([expect.objectContaining({ name: '1984', limit })]);
  expect(json).toEqual([oneItemPerResult === 'TRUE' ? { postcode: 'IG11 1AA' } : area]);
});

test('the switches for keeping the input and for one item per day understand the texts "false" and "true"', async () => {
  const days = [{ date: '2026-01-01', requestCount: 1 }];
  const { json } = await run(getUsage, {
    parameters: { oneItemPerDay: 'true', options: { keepInput: 'false' } },
    items: [{ id: 7 }],
    answer: () => success({ totalRequests: 1, dailyUsage: days }),
  });
  expect(json).toEqual(days);
});

test('a list of postcodes may be JSON, or a list of items that have a postcode', async () => {
  for (const postcodes of ['["SW1A 1AA", "ZZ1 1ZZ"]', [{ postcode: 'SW1A 1AA' }, { postcode: 'ZZ1 1ZZ' }]]) {
    const { json, bodies } = await run(lookupPostcodes, {
      parameters: { source: 'list', postcodes, oneItemPerResult: false },
      answer: bulk,
    });
    expect(listOf(bodies[0], 'postcodes')).toEqual(['SW1A 1AA', 'ZZ1 1ZZ']);
    expect(json[0]).toMatchObject({ found: 1, missing: [{ postcode: 'ZZ1 1ZZ', reason: 'unknown' }] });
  }
});

test.each([
  [
    { Latitude: '51.5', longitude: -0.1, name: 'Shop' },
    { latitude: 51.5, longitude: -0.1 },
  ],
  ['{"latitude": 51.5, "longitude": -0.1}', { latitude: 51.5, longitude: -0.1 }],
  [{ postcode: ' SW1A 1AA ', city: 'London' }, 'SW1A 1AA'],
])('the place to measure from may be %j', async (from, sent) => {
  const { bodies } = await run(measureDistance, {
    parameters: { from, to: ['M1 1AE'] },
    answer: () => success({ results: [{ metres: 1, bearingDegrees: 2 }], missing: [] }),
  });
  expect(bodies[0]).toEqual({ from: sent, to: ['M1 1AE'] });
});

test('a place to measure from with an empty postcode fails the item without a request', async () => {
  const { json, bodies } = await run(measureDistance, {
    parameters: { from: { postcode: '' }, to: ['M1 1AE'] },
    answer: () => success({}),
  });
  expect(json[0]).toMatchObject({ error: 'From is empty' });
  expect(bodies).toEqual([]);
});

const EMPTY = [undefined, null, '', '  ', []];

test.each(EMPTY)('an option whose expression returns %j is not sent', async (value) => {
  const { bodies } = await run(captureScreenshot, {
    parameters: {
      url,
      options: { failOnPageStatus: value, fileName: value, resultField: value, maximumWait: value },
      pictureOptions: { width: value },
      aPieceOfThePageOptions: { selector: value, clip: value },
      whenThePageIsReadyOptions: { waitMs: value },
    },
    answer: () => success(Buffer.from('P'), { 'content-type': 'image/png' }),
  });
  expect(bodies).toEqual([{ url, fullPage: false, format: 'png' }]);
});

test.each(EMPTY)(
  'a required field whose expression returns %j is an error that names it',
  async (postcode) => {
    const { json, bodies } = await run(contractOperation('validatePostcode'), {
      parameters: { postcode },
      answer: () => success({}),
    });
    expect(json[0]).toMatchObject({ error: 'Postcode is empty' });
    expect(bodies).toEqual([]);
  },
);
