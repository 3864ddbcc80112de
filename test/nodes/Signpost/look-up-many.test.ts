import type { IBinaryKeyData, IDataObject, IHttpRequestOptions, INode } from 'n8n-workflow';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { property } from '../../../nodes/shared/values';
import { fakeExecution, httpFailure, success } from '../fixtures/fake-execution';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { lookupPostcodes } from '../../../nodes/Signpost/postcode/look-up-many';

const askedOf = (request: IHttpRequestOptions): string[] => {
  const postcodes = property(request.body, 'postcodes');
  return Array.isArray(postcodes) ? postcodes.map(String) : [];
};

/**
 * In place of the server: returns the record of a postcode that begins with SW, with O, I or L in its last three
 * characters read as a digit. Returns an empty list for others, and for a misplaced space or a letter of no postcode.
 */
const directory = (postcode: string): IDataObject[] => {
  if (/^SW1+ \d*A+$/u.test(postcode) && !/ \dAA$/u.test(postcode)) return [];
  // The capitals of these two letters are I and S, but no postcode contains the letters themselves.
  if (/[ıſ]/u.test(postcode)) return [];
  const compact = postcode.replaceAll(/[ -]/gu, '').toUpperCase();
  const incode = compact.slice(-3).replace('O', '0').replace(/[IL]/u, '1');
  const parts = { codes: { lsoa: 'E01' }, history: { introduced: '1980-01' } };
  const record = { postcode: `${compact.slice(0, -3)} ${incode}`, lsoa: 'E01', isActive: true, ...parts };
  return compact.startsWith('SW') ? [record] : [];
};

interface Setting {
  readonly items?: IDataObject[];
  readonly continueOnFail?: boolean;
  readonly typeVersion?: number;
  readonly onError?: INode['onError'];
  readonly files?: IBinaryKeyData;
  /** The postcode at which the server fails. */
  readonly broken?: string;
}

async function run(
  parameters: Readonly<Record<string, unknown>> | Readonly<Record<string, unknown>>[],
  { broken = '', ...setting }: Setting = {},
) {
  const { context, requests, hints } = fakeExecution({
    parameters,
    ...setting,
    answer: (request) => {
      const asked = askedOf(request);
      if (asked.includes(broken)) return Promise.reject(httpFailure(500, { error: 'Broken.' }));
      const results = asked.flatMap((postcode, index) =>
        directory(postcode).map((record) => ({ ...record, index })),
      );
      return success({ results });
    },
  });
  const client = new ServiceClient(context, signpostService);
  const output = await runOperation(context, client, lookupPostcodes);
  const included = requests.map(({ body }) => property(body, 'include'));
  return { output, asked: requests.map(askedOf), included, hints };
}

/** Looks up these postcodes, one for each item. */
const runItems = (postcodes: readonly string[], options: IDataObject = {}, setting: Setting = {}) =>
  run(
    postcodes.map((postcodeOfItem) => ({ source: 'items', postcodeOfItem, options })),
    { items: postcodes.map((postcode, row) => ({ postcode, row })), ...setting },
  );

const many = (count: number) => Array.from({ length: count }, (_, index) => `SW${index} 1AA`);

test('250 items are looked up with three requests, and each gets its own record', async () => {
  const postcodes = many(250);
  const { output, asked } = await runItems(postcodes);
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(output.map(({ json, pairedItem }) => [json.postcode, json.found, pairedItem])).toEqual(
    postcodes.map((postcode, item) => [postcode, true, { item }]),
  );
});

test('a run in which no item has a postcode shows a hint about the empty field in the editor', async () => {
  const { hints, asked } = await runItems(['', ' ']);
  expect(hints).toEqual([expect.stringContaining('No item has a postcode: "Postcode" is empty')]);
  expect(asked).toEqual([]);
  expect((await runItems(['', 'SW1A 1AA'])).hints).toEqual([]);
  const half = await runItems([...many(100), ...many(30).map(() => '')]);
  expect(half.hints).toEqual([expect.stringContaining('30 items in a row have no postcode')]);
});

test('one request includes the parts that any of its items needs, and each item keeps only its own', async () => {
  const { output, included } = await run(
    [{ include: ['codes'] }, { include: ['history'] }, {}].map((options, index) => ({
      source: 'items',
      postcodeOfItem: `SW${index} 1AA`,
      options,
    })),
    { items: [{}, {}, {}] },
  );
  expect(included).toEqual([['codes', 'history']]);
  expect(output.map(({ json }) => [json.codes, json.history])).toEqual([
    [{ lsoa: 'E01' }, undefined],
    [undefined, { introduced: '1980-01' }],
    [undefined, undefined],
  ]);
});

test('repeated postcodes are sent once; mistyped, unknown and missing ones return to their own item', async () => {
  const { output, asked } = await runItems(['sw1a1aa', 'ZZ9 9ZZ', 'SW1A 1AA', '', 'SW1A IAA', 'SW2 2OO']);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toHaveLength(3);
  expect(output.map(({ json }) => [json.postcode, json.found])).toEqual([
    ['SW1A 1AA', true],
    ['ZZ9 9ZZ', false],
    ['SW1A 1AA', true],
    ['', false],
    ['SW1A 1AA', true],
    ['SW2 20O', true],
  ]);
});

test('in a second request, a postcode that only the server can repair gets its own record', async () => {
  const { output } = await runItems([...many(100), 'ZZ9 9ZZ', 'SW7A LAA', 'SW8A 1AA']);
  expect(output.slice(100).map(({ json }) => [json.postcode, json.found])).toEqual([
    ['ZZ9 9ZZ', false],
    ['SW7A 1AA', true],
    ['SW8A 1AA', true],
  ]);
});

test("a postcode with a misplaced space is sent as entered, and gets no other postcode's record", async () => {
  const { output, asked } = await runItems(['SW1 11AA', 'SW11 1AA', 'sw11-1aa', 'SW11 AA']);
  expect(asked).toEqual([['SW1 11AA', 'sw11-1aa', 'SW11 AA']]);
  expect(output.map(({ json }) => [json.postcode, json.found, json.reason])).toEqual([
    ['SW1 11AA', false, 'malformed'],
    ['SW11 1AA', true, undefined],
    ['SW11 1AA', true, undefined],
    ['SW11 AA', false, 'malformed'],
  ]);
});

test('Look Up Many can put the result into a field beside those of the item', async () => {
  const { output } = await runItems(['SW1 1AA'], { resultField: 'place' });
  expect(output[0]?.json).toEqual({
    postcode: 'SW1 1AA',
    row: 0,
    place: { postcode: 'SW1 1AA', isActive: true, found: true },
  });
});

test('a found item no longer has the error of an earlier failure', async () => {
  const items = [{ row: 0, error: 'Broken.', details: { httpStatus: 500 } }];
  const { output } = await runItems(['SW1 1AA'], { resultField: 'place' }, { items });
  expect(output[0]?.json).toEqual({ row: 0, place: { postcode: 'SW1 1AA', isActive: true, found: true } });
});

test('an expression that throws fails only its own item, even the first of its group', async () => {
  const bad = new Error('Cannot read properties of undefined');
  const parameters: Record<string, unknown>[] = many(100).map((postcodeOfItem) => ({
    source: 'items',
    postcodeOfItem,
  }));
  parameters[0] = { ...parameters[0], options: bad };
  parameters[41] = { ...parameters[41], postcodeOfItem: bad };
  parameters[42] = { ...parameters[42], simplify: bad };
  const { output, asked } = await run(parameters, {
    items: parameters.map((_one, row) => ({ row })),
    continueOnFail: true,
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).not.toContain('SW41 1AA');
  const failed = output.filter(({ json }) => json.error !== undefined);
  expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 41 }, { item: 42 }]);
  expect(failed[1]?.json).toEqual({ error: bad.message, details: {} });
  expect(output.filter(({ json }) => json.found === true)).toHaveLength(97);
});

test('an expression that throws stops a workflow that does not continue on errors, and the error names the item', async () => {
  const parameters = [
    { source: 'items', postcodeOfItem: 'SW1 1AA' },
    { source: 'items', postcodeOfItem: new Error('Nothing there') },
  ];
  await expect(run(parameters, { items: [{}, {}] })).rejects.toMatchObject({
    message: 'Nothing there',
    context: { itemIndex: 1 },
  });
});

test('an item that is not found has the reason, with the value as entered', async () => {
  const came = ['', '   ', null, undefined, 'nonsense', 12_345, ' zz9-9zz. ', 'SW1-1AA', 'x'.repeat(90_000)];
  const { output, asked } = await run(
    came.map((postcodeOfItem) => ({ source: 'items', postcodeOfItem })),
    { items: came.map(() => ({})) },
  );
  expect(
    output.map(({ json }) => (json.found === true ? 'found' : [json.postcode, json.found, json.reason])),
  ).toEqual([
    ['', false, 'blank'],
    ['   ', false, 'blank'],
    ['', false, 'blank'],
    ['', false, 'blank'],
    ['nonsense', false, 'malformed'],
    [12_345, false, 'malformed'],
    [' zz9-9zz. ', false, 'unknown'],
    'found',
    ['x'.repeat(90_000), false, 'malformed'],
  ]);
  expect(asked).toEqual([['nonsense', 'zz9-9zz.', 'SW1-1AA']]);
});

test.each([
  [1, {}, false],
  [1, { keepInput: true }, true],
  [1.1, {}, true],
  [1.1, { keepInput: false }, false],
])(
  'version %p with the options %j: an item whose result is put in a field keeps its files: %p',
  async (typeVersion, options, isKept) => {
    const files = { letter: { data: 'TA==', mimeType: 'text/plain' } };
    const { output } = await runItems(
      ['SW1 1AA'],
      { resultField: 'place', ...options },
      { typeVersion, files },
    );
    expect(output[0]?.json).toMatchObject({ row: 0, place: { found: true } });
    expect(output[0]?.binary).toEqual(isKept ? files : undefined);
  },
);

test.each([[' '], [','], [';'], [[]], [['', null]]])(
  'a list without any postcode is an error in the words of the editor: the list %j',
  async (postcodes) => {
    await expect(run({ source: 'list', postcodes })).rejects.toMatchObject({
      message: 'Postcodes is empty',
      description: expect.stringContaining('expression'),
    });
  },
);

test('an item with an empty list fails and keeps its fields', async () => {
  const { output, asked } = await run(
    { source: 'list', postcodes: [] },
    { items: [{ row: 7 }], continueOnFail: true, typeVersion: 1.1 },
  );
  expect(asked).toEqual([]);
  expect(output.map(({ json }) => json)).toMatchObject([{ row: 7, error: 'Postcodes is empty' }]);
});

test('spaces before or after a postcode are not sent', async () => {
  const padded = ['SW1A 1AA'.padEnd(48), 'ZZ9 9ZZ'.padStart(48)];
  const { output, asked } = await runItems(padded);
  expect(asked).toEqual([['SW1A 1AA', 'ZZ9 9ZZ']]);
  expect(output.map(({ json }) => [json.postcode, json.found])).toEqual([
    ['SW1A 1AA', true],
    [padded[1], false],
  ]);
});

test('an item with a letter that no postcode has does not get the record of another item', async () => {
  const { output, asked } = await runItems(['SW1 1AI', 'sw1 1aı', 'SW2 1AS', 'ſw2 1as']);
  expect(asked[0]).toHaveLength(4);
  expect(output.map(({ json }) => json.found)).toEqual([true, false, true, false]);
});

test('a failed request fails only its own items if the workflow continues', async () => {
  const postcodes = many(150);
  const { output } = await runItems(postcodes, {}, { continueOnFail: true, broken: 'SW120 1AA' });
  expect(output).toHaveLength(150);
  expect(output[99]?.json).toMatchObject({ postcode: 'SW99 1AA', found: true });
  expect(output[100]).toMatchObject({
    json: { error: 'Broken.', details: { httpStatus: 500 } },
    pairedItem: { item: 100 },
  });
});

test('a list returns one item per postcode, in the given order', async () => {
  const { output } = await run({ source: 'list', postcodes: 'SW2 1AA, nonsense\nsw1 1aa;' });
  expect(output.map(({ json }) => [json.postcode, json.found])).toEqual([
    ['SW2 1AA', true],
    ['nonsense', false],
    ['SW1 1AA', true],
  ]);
});

test('a list longer than one request can be one item with all results and counts', async () => {
  const postcodes = [...many(120), 'ZZ9 9ZZ'];
  const { output, asked } = await run({
    source: 'list',
    postcodes,
    oneItemPerResult: false,
    simplify: false,
  });
  expect(asked.map(({ length }) => length)).toEqual([100, 21]);
  expect(output).toHaveLength(1);
  expect(output[0]?.json).toMatchObject({
    found: 120,
    notFound: 1,
    missing: [{ index: 120, postcode: 'ZZ9 9ZZ', reason: 'unknown' }],
  });
  expect(output[0]?.json.results).toHaveLength(120);
  expect(property(output[0]?.json.results, '0')).toMatchObject({ postcode: 'SW0 1AA', lsoa: 'E01' });
});
