import { findPostcodesInText } from '../../../nodes/Signpost/postcode/find-in-text';
import { lookupPostcode } from '../../../nodes/Signpost/postcode/look-up';
import { lookupPostcodes } from '../../../nodes/Signpost/postcode/look-up-many';
import { contractOperation } from '../../../nodes/shared/contract-operations';
import { property } from '../../../nodes/shared/values';
import { httpFailure, notInDirectory, success } from '../fixtures/fake-execution';
import { bulk, listOf, record, run } from '../fixtures/new-node';

const SELECTED = { source: 'items', recordOutput: 'fields', recordFields: ['constituency'] };

test('a looked-up item keeps its fields, and gets the selected fields if found, the reason if not, or the error if it failed', async () => {
  const items = [
    { name: 'Ada', postcode: 'SW1A 1AA' },
    { name: 'Ben', postcode: 'ZZ1 1ZZ' },
    { name: 'Cy', postcode: '' },
    { name: 'Di', postcode: 'SW1A 1AB' },
  ];
  const parameters = items.map(({ postcode }, index) => ({
    ...SELECTED,
    postcodeOfItem: index === 3 ? new Error('Nothing there') : postcode,
  }));
  const { json } = await run(lookupPostcodes, { parameters, items, answer: bulk });
  expect(json).toEqual([
    { ...items[0], constituency: 'Cities of London and Westminster', found: true },
    { ...items[1], found: false, reason: 'unknown' },
    { ...items[2], found: false, reason: 'blank' },
    { ...items[3], error: 'Nothing there', details: {} },
  ]);
});

test('a prefix keeps the fields of the result apart from those of the item', async () => {
  const options = { fieldPrefix: 'home_' };
  const items = [{ postcode: 'sw1a1aa', found: 'a wallet' }];
  const { json } = await run(lookupPostcodes, {
    parameters: { ...SELECTED, recordFields: ['postcode', 'ward'], postcodeOfItem: 'sw1a1aa', options },
    items,
    answer: () => success({ results: [record('SW1A 1AA')] }),
  });
  expect(json).toEqual([
    { ...items[0], home_postcode: 'SW1A 1AA', home_ward: "St James's", home_found: true },
  ]);
});

test.each([
  ['raw', { policeForce: 'Metropolitan Police', constituency: expect.any(String) }],
  ['simplified', { constituency: expect.any(String) }],
])(
  'Look Up with the output %s returns that form of the record beside the fields of the item',
  async (recordOutput, expected) => {
    const answer = () => success({ result: record('SW1A 1AA') });
    const parameters = { postcode: 'SW1A 1AA', recordOutput };
    const { json } = await run(lookupPostcode, { parameters, items: [{ row: 7 }], answer });
    expect(json[0]).toMatchObject({ row: 7, ...expected });
    expect('policeForce' in (json[0] ?? {})).toBe(recordOutput === 'raw');
  },
);

test('an item whose postcode is unknown keeps its fields, and a found item loses the reason of an earlier failure', async () => {
  const parameters = { postcode: 'ZZ1 1ZZ', options: { ifNotFound: 'item' } };
  const items = [{ row: 7, found: false, reason: 'blank' }];
  const missing = await run(lookupPostcode, {
    parameters,
    items,
    answer: () => Promise.reject(notInDirectory()),
  });
  expect(missing.json).toEqual([{ row: 7, postcode: 'ZZ1 1ZZ', found: false, reason: 'unknown' }]);
  const found = await run(lookupPostcode, {
    parameters,
    items,
    answer: () => success({ result: { postcode: 'SW1A 1AA' } }),
  });
  expect(found.json).toEqual([{ row: 7, postcode: 'SW1A 1AA', found: true }]);
});

test('a valid postcode removes the suggestion of an earlier validation', async () => {
  const items = [{ postcode: 'SW1A1AA', isValid: false, isActive: false, suggestion: 'SW1A 1AA' }];
  const result = { postcode: 'SW1A 1AA', isValid: true, isActive: true };
  const { json } = await run(contractOperation('validatePostcode'), {
    parameters: { postcode: 'SW1A 1AA' },
    items,
    answer: () => success(result),
  });
  expect(json).toEqual([result]);
});

test('the fields "note" and "reason" of an item stay if no earlier result can have set them', async () => {
  const own = { note: 'call back', reason: 'new shop' };
  const { json } = await run(lookupPostcode, {
    parameters: { postcode: 'SW1A 1AA' },
    items: [{ ...own, found: true }],
    answer: () => success({ result: { postcode: 'SW1A 1AA' } }),
  });
  expect(json).toEqual([{ ...own, postcode: 'SW1A 1AA', found: true }]);
});

test('Keep Input Fields and Files can be turned off, and nodes of version 1.1 return only the result', async () => {
  const answer = () => success({ result: { postcode: 'SW1A 1AA' } });
  const parameters = { postcode: 'SW1A 1AA', options: { keepInput: false } };
  const only = [{ postcode: 'SW1A 1AA' }];
  expect((await run(lookupPostcode, { parameters, items: [{ row: 7 }], answer })).json).toEqual(only);
  const older = { parameters: { postcode: 'SW1A 1AA' }, items: [{ row: 7 }], answer, typeVersion: 1.1 };
  expect((await run(lookupPostcode, older)).json).toEqual(only);
});

test.each([
  [true, { row: 7, home: { postcode: 'SW1A 1AA' } }],
  [false, { home: { postcode: 'SW1A 1AA' } }],
])(
  'a result in a field keeps the input fields beside it only if Keep Input Fields and Files is on: %s',
  async (keepInput, expected) => {
    const answer = () => success({ result: { postcode: 'SW1A 1AA' } });
    const parameters = { postcode: 'SW1A 1AA', options: { keepInput, resultField: 'home' } };
    const { json } = await run(lookupPostcode, { parameters, items: [{ row: 7 }], answer });
    expect(json).toEqual([expected]);
  },
);

/** Finds postcodes in upper case, in place of the server. Those that begin with SW exist. */
const find = (text: string) =>
  [...text.matchAll(/[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}/gu)].map(([postcode]) => {
    const isValid = postcode.startsWith('SW');
    return { postcode, isValid, isActive: isValid };
  });
const textsOf = (body: unknown) => {
  const text = property(body, 'text');
  return typeof text === 'string' ? [text] : listOf(body, 'texts');
};
const findOrLookUp = (body: unknown, path: string) =>
  path.endsWith('/find')
    ? success({
        results: textsOf(body).flatMap((text, index) => find(text).map((one) => ({ ...one, index }))),
      })
    : bulk(body);

test('300 addresses get their constituencies with at most six requests', async () => {
  const items = Array.from({ length: 300 }, (_, row) => ({
    row,
    address: `${row} The Mall, London SW1A ${row % 10}AA`,
  }));
  const parameters = items.map(({ address }) => ({
    ...SELECTED,
    source: 'text',
    textOfItem: address,
  }));
  const { json, bodies } = await run(lookupPostcodes, { parameters, items, answer: findOrLookUp });
  expect(bodies.length).toBeLessThanOrEqual(6);
  expect(json).toEqual(
    items.map((item) => ({ ...item, constituency: 'Cities of London and Westminster', found: true })),
  );
});

test('an item whose text has no known postcode gets the reason, and not the text', async () => {
  const texts = ['', 'nowhere at all', 'Atlantis, ZZ1 1ZZ', 'At SW1A 1AA or ZZ1 1ZZ'];
  const { json } = await run(lookupPostcodes, {
    parameters: texts.map((textOfItem) => ({ source: 'text', textOfItem })),
    items: texts.map((_, row) => ({ row })),
    answer: findOrLookUp,
  });
  expect(json).toMatchObject([
    { row: 0, postcode: '', found: false, reason: 'blank' },
    { row: 1, postcode: '', found: false, reason: 'malformed' },
    { row: 2, postcode: 'ZZ1 1ZZ', found: false, reason: 'unknown' },
    { row: 3, postcode: 'SW1A 1AA', found: true },
  ]);
});

test.each([
  ['12 High Street, London WC1 A 9NE', ['WC1 A 9NE']],
  ['London, WCIA 9GE.', ['WCIA 9GE.']],
  ['The Red Lions', undefined],
])(
  'the end of the text %j is looked up only if it may be a mistyped postcode: sends %j',
  async (textOfItem, asked) => {
    const { bodies } = await run(lookupPostcodes, {
      parameters: { source: 'text', textOfItem },
      answer: (_body, path) =>
        success(path.endsWith('/find') ? { results: [] } : { results: [record('WC1A 9NE')] }),
    });
    expect(property(bodies[1], 'postcodes')).toEqual(asked);
  },
);

test('Find in Text searches the texts of several items with one request, which contains no empty text', async () => {
  const texts = ['At SW1A 1AA.', '', '  ', 'nothing', 'SW2 1AA and SW3 1AA'];
  const { json, bodies } = await run(findPostcodesInText, {
    parameters: texts.map((text) => ({ text })),
    items: texts.map((_, row) => ({ row })),
    answer: findOrLookUp,
  });
  expect(bodies).toEqual([{ texts: ['At SW1A 1AA.', 'nothing', 'SW2 1AA and SW3 1AA'] }]);
  const found = (postcode: string) => ({ postcode, isValid: true, isActive: true });
  expect(json).toEqual([
    { row: 0, results: [found('SW1A 1AA')] },
    { row: 1, results: [] },
    { row: 2, results: [] },
    { row: 3, results: [] },
    { row: 4, results: [found('SW2 1AA'), found('SW3 1AA')] },
  ]);
});

test('texts that are together too long for one request are sent in several, and only a text that is itself too long fails', async () => {
  const texts = ['a'.repeat(60_000), 'b'.repeat(60_000), 'c'.repeat(100_001), 'd'];
  const { json, bodies } = await run(findPostcodesInText, {
    parameters: texts.map((text) => ({ text })),
    items: texts.map(() => ({})),
    answer: (body) =>
      textsOf(body).join('').length > 100_000
        ? Promise.reject(httpFailure(400, { error: '"text" must have at most 100000 characters.' }))
        : success({ results: [] }),
  });
  expect(bodies).toHaveLength(4);
  expect(json).toMatchObject([
    { results: [] },
    { results: [] },
    { error: 'Text must have at most 100000 characters.' },
    { results: [] },
  ]);
});
