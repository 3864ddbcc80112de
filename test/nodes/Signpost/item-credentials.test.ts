import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { lookupPostcodes } from '../../../nodes/Signpost/postcode/look-up-many';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { property } from '../../../nodes/shared/values';
import { fakeExecution, success } from '../fixtures/fake-execution';

const askedOf = ({ body }: IHttpRequestOptions): unknown[] => {
  const postcodes = property(body, 'postcodes');
  return Array.isArray(postcodes) ? postcodes : [];
};

/** Looks up the postcodes of this many items; `sent` has the address, the key and the postcodes of each request. */
async function lookUp(count: number, credentials: (itemIndex: number) => IDataObject) {
  const postcodes = Array.from({ length: count }, (_, index) => `SW${index} 1AA`);
  const { context, requests, sentWith } = fakeExecution({
    parameters: postcodes.map((postcodeOfItem) => ({ source: 'items', postcodeOfItem })),
    items: postcodes.map((postcode) => ({ postcode })),
    credentials,
    continueOnFail: true,
    answer: (request) => success({ results: askedOf(request).map((postcode) => ({ postcode })) }),
  });
  const output = await runOperation(context, new ServiceClient(context, signpostService), lookupPostcodes);
  const sent = requests.map((request, at) => [request.url, sentWith[at]?.apiKey, ...askedOf(request)]);
  return { output, sent };
}

test('items share a request only with items of the same credential, and an unreadable credential fails only its item', async () => {
  const credentials = (itemIndex: number) => {
    if (itemIndex === 3) throw new Error('No key for this item.');
    const apiKey = itemIndex % 2 === 0 ? 'even' : 'odd';
    return { baseUrl: `http://${apiKey}.test/`, apiKey, hasExpressions: true };
  };
  const { output, sent } = await lookUp(6, credentials);
  expect(sent).toEqual([
    ['http://even.test/api/postcode/bulk', 'even', 'SW0 1AA', 'SW2 1AA', 'SW4 1AA'],
    ['http://odd.test/api/postcode/bulk', 'odd', 'SW1 1AA', 'SW5 1AA'],
  ]);
  expect(output.map(({ json }) => json.postcode)).toEqual([
    'SW0 1AA',
    'SW1 1AA',
    'SW2 1AA',
    undefined,
    'SW4 1AA',
    'SW5 1AA',
  ]);
  expect(output[3]?.json.error).toBe('No key for this item.');
});

test('a credential without expressions is read once for all items, and once for each request', async () => {
  const read = jest.fn(() => ({ baseUrl: 'http://a.test', apiKey: 'a', hasExpressions: false }));
  const { sent } = await lookUp(150, read);
  expect(sent.map(({ length }) => length - 2)).toEqual([100, 50]);
  expect(read).toHaveBeenCalledTimes(1 + 2);
});
