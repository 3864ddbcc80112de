import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { runOperation } from '../../../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../../../nodes/shared/service-client';
import { property } from '../../../../../nodes/shared/values';
import { fakeExecution, httpFailure, success } from '../../../testing/fake-execution';
import { signpostService } from '../../../../../nodes/Signpost/shared/signpost-service';
import { lookUpMany } from '../../../../../nodes/Signpost/resources/postcode/look-up-many';

const askedOf = (request: IHttpRequestOptions): string[] => {
  const postcodes = property(request.body, 'postcodes');
  return Array.isArray(postcodes) ? postcodes.map(String) : [];
};

/** Knows what begins with SW, in canonical form, and repairs O and I where digits belong. */
const directory = (postcode: string): IDataObject[] => {
  const compact = postcode.replaceAll(' ', '').toUpperCase();
  const incode = compact.slice(-3).replace('O', '0').replace('I', '1');
  const record = { postcode: `${compact.slice(0, -3)} ${incode}`, lsoa: 'E01', isActive: true };
  return compact.startsWith('SW') ? [record] : [];
};

interface Setting {
  readonly items?: IDataObject[];
  readonly continueOnFail?: boolean;
  /** The postcode at which the server fails. */
  readonly broken?: string;
}

async function run(parameters: IDataObject | IDataObject[], { broken = '', ...setting }: Setting = {}) {
  const { context, requests } = fakeExecution({
    parameters,
    ...setting,
    answer: (request) => {
      const asked = askedOf(request);
      if (asked.includes(broken)) return Promise.reject(httpFailure(500, { error: 'Broken.' }));
      return success({ results: asked.flatMap(directory) });
    },
  });
  const client = new ServiceClient(context, await signpostService(context));
  const output = await runOperation(context, client, lookUpMany);
  return { output, asked: requests.map(askedOf) };
}

/** A run over items of which each has one of these postcodes. */
const runItems = (postcodes: readonly string[], options: IDataObject = {}, setting: Setting = {}) =>
  run(
    postcodes.map((postcodeOfItem) => ({ source: 'items', postcodeOfItem, options })),
    { items: postcodes.map((postcode, row) => ({ postcode, row })), ...setting },
  );

const many = (count: number) => Array.from({ length: count }, (_, index) => `SW${index} 1AA`);

test('250 items take three requests, and each gets its own record back', async () => {
  const postcodes = many(250);
  const { output, asked } = await runItems(postcodes);
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(output.map(({ json, pairedItem }) => [json.postcode, json.found, pairedItem])).toEqual(
    postcodes.map((postcode, item) => [postcode, true, { item }]),
  );
});

test('repeats are asked once; spelling, slips, unknown and missing ones find their own item', async () => {
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

test('the result goes into a field beside those of the item where the user wants it', async () => {
  const { output } = await runItems(['SW1 1AA'], { resultField: 'place' });
  expect(output[0]?.json).toEqual({
    postcode: 'SW1 1AA',
    row: 0,
    place: { postcode: 'SW1 1AA', isActive: true, found: true },
  });
});

test('a request that fails fails its own items alone where the workflow goes on', async () => {
  const postcodes = many(150);
  const { output } = await runItems(postcodes, {}, { continueOnFail: true, broken: 'SW120 1AA' });
  expect(output).toHaveLength(150);
  expect(output[99]?.json).toMatchObject({ postcode: 'SW99 1AA', found: true });
  expect(output[100]).toMatchObject({
    json: { error: 'Broken.', details: { httpStatus: 500 } },
    pairedItem: { item: 100 },
  });
});

test('a list is one item per postcode, in the order given', async () => {
  const { output } = await run({ source: 'list', postcodes: 'SW2 1AA, nonsense\nsw1 1aa;' });
  expect(output.map(({ json }) => [json.postcode, json.found])).toEqual([
    ['SW2 1AA', true],
    ['nonsense', false],
    ['SW1 1AA', true],
  ]);
});

test('a list longer than a request takes is one item with all results and counts', async () => {
  const postcodes = [...many(120), 'ZZ9 9ZZ'];
  const { output, asked } = await run({
    source: 'list',
    postcodes,
    oneItemPerResult: false,
    simplify: false,
  });
  expect(asked.map(({ length }) => length)).toEqual([100, 21]);
  expect(output).toHaveLength(1);
  expect(output[0]?.json).toMatchObject({ found: 120, notFound: 1 });
  expect(property(output[0]?.json.results, '0')).toMatchObject({ postcode: 'SW0 1AA', lsoa: 'E01' });
});
