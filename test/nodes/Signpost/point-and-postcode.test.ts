import type { IDataObject } from 'n8n-workflow';
import { autocompletePostcode, findNearestPostcodes } from '../../../nodes/Signpost/postcode/searches';
import { lookupPostcode } from '../../../nodes/Signpost/postcode/look-up';
import { lookupPostcodes } from '../../../nodes/Signpost/postcode/look-up-many';
import { contractOperation } from '../../../nodes/shared/contract-operations';
import { signpostService } from '../../../nodes/Signpost/signpost-service';
import type { Operation } from '../../../nodes/shared/operation';
import { runOperation } from '../../../nodes/shared/run-operation';
import { ServiceClient } from '../../../nodes/shared/service-client';
import { property } from '../../../nodes/shared/values';
import { fakeExecution, httpFailure, notInDirectory, success } from '../fixtures/fake-execution';

async function run(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
  answer: () => unknown,
) {
  const { context, requests } = fakeExecution({ operation, parameters, answer });
  const client = new ServiceClient(context, signpostService);
  const [item] = await runOperation(context, client, operation);
  return { json: item?.json, requests };
}

const nothing = () => success({ results: [], result: {}, postcodes: [] });

test.each([lookupPostcode, contractOperation('validatePostcode')])(
  'an empty postcode is an error in the words of the editor ($name)',
  async (operation) => {
    for (const postcode of ['', '  ', undefined, null]) {
      await expect(run(operation, { postcode }, nothing)).rejects.toMatchObject({
        message: 'Postcode is empty',
        description: expect.stringContaining('expression'),
        context: { itemIndex: 0 },
      });
    }
  },
);

test('Find Nearest fails without a request if the latitude is empty, or both coordinates are 0', async () => {
  const answer = jest.fn(nothing);
  await expect(run(findNearestPostcodes, { latitude: 0, longitude: 0 }, answer)).rejects.toMatchObject({
    message: 'Latitude and Longitude are not set',
  });
  await expect(run(findNearestPostcodes, { latitude: '', longitude: 0 }, answer)).rejects.toMatchObject({
    message: 'Latitude is empty',
  });
  expect(answer).not.toHaveBeenCalled();
});

/** The defaults of the editor. */
const NEAREST = { limit: 10, radiusMetres: 2000 };

test('Find Nearest can start from a postcode, which is then required', async () => {
  const parameters = { startFrom: 'postcode', postcode: ' SW1A 1AA ', options: { offset: 20 } };
  const { requests } = await run(findNearestPostcodes, parameters, nothing);
  expect(requests[0]?.body).toEqual({ postcode: 'SW1A 1AA', offset: 20, ...NEAREST });
  await expect(
    run(findNearestPostcodes, { startFrom: 'postcode', postcode: '' }, nothing),
  ).rejects.toMatchObject({ message: 'Postcode is empty' });
});

test('Find Nearest with Return All reads all pages if the parameter for the limit is missing', async () => {
  const { context, requests } = fakeExecution({
    operation: findNearestPostcodes,
    parameters: { postcode: 'SW1A 1AA', returnAll: true },
    typeVersion: 1.2,
    answer: ({ body }) =>
      success({
        total: 101,
        results: Array.from({ length: property(body, 'offset') === 0 ? 100 : 1 }, () => ({
          postcode: 'SE10 8XJ',
        })),
      }),
  });
  const client = new ServiceClient(context, signpostService);
  expect(await runOperation(context, client, findNearestPostcodes)).toHaveLength(101);
  expect(requests.map(({ body }) => property(body, 'offset'))).toEqual([0, 100]);
});

test('Find Nearest as one item has the total number of postcodes', async () => {
  const parameters = { latitude: 51.5, longitude: 0, oneItemPerResult: false, options: { offset: 0 } };
  const answer = () => success({ results: [{ postcode: 'SE10 8XJ' }], total: 300 });
  const { json } = await run(findNearestPostcodes, parameters, answer);
  expect(json).toEqual({ results: [{ postcode: 'SE10 8XJ' }], total: 300 });
});

test('Measure Distance accepts a postcode and a point as destinations', async () => {
  const point = { latitude: 51.5, longitude: -0.1 };
  const parameters = { from: 'SW1A 1AA', to: ['M1 1AE', point] };
  const answer = () => success({ results: [{ metres: 1, bearingDegrees: 0 }, null] });
  const { requests, json } = await run(contractOperation('measureDistance'), parameters, answer);
  expect(requests[0]?.body).toEqual(parameters);
  expect(json).toEqual({ results: [{ metres: 1, bearingDegrees: 0 }, null] });
});

test('Measure Distance accepts a destination that is itself a list', async () => {
  const parameters = { from: 'SW1A 1AA', to: [['M1 1AE', 'EH99 1SP'], 'B1 1BB'] };
  const { requests } = await run(contractOperation('measureDistance'), parameters, nothing);
  expect(requests[0]?.body).toEqual({ from: 'SW1A 1AA', to: ['M1 1AE', 'EH99 1SP', 'B1 1BB'] });
});

test('Reverse Geocode sends a point that was entered in the list Points, and needs at least one', async () => {
  const parameters = { points: { values: [{ latitude: '51.5', longitude: -0.1 }] } };
  const { requests } = await run(contractOperation('reverseGeocode'), parameters, nothing);
  expect(requests[0]?.body).toEqual({ points: [{ latitude: 51.5, longitude: -0.1 }] });
  await expect(run(contractOperation('reverseGeocode'), { points: {} }, nothing)).rejects.toMatchObject({
    message: 'Points is empty',
  });
});

test('Find Nearest accepts Greenwich, whose longitude is 0', async () => {
  const { requests } = await run(findNearestPostcodes, { latitude: '51.4779', longitude: 0 }, nothing);
  expect(requests[0]?.body).toEqual({ latitude: 51.4779, longitude: 0, ...NEAREST });
});

test.each([
  ['M11 ', 'M11 '],
  ['  M11\t  ', 'M11 '],
  [' M11', 'M11'],
])(
  'Autocomplete sends the text %j as %j: trimmed, but with one space if white space ends it',
  async (partial, sent) => {
    const { requests } = await run(autocompletePostcode, { partial }, nothing);
    expect(requests[0]?.body).toEqual({ partial: sent, limit: 10 });
  },
);

test('Autocomplete rejects a text of only blanks with the names of the editor', async () => {
  await expect(run(autocompletePostcode, { partial: '   ' }, nothing)).rejects.toMatchObject({
    message: 'Partial Postcode is empty',
  });
});

const WRONG = 'The Base URL in the credential is wrong';
const refused =
  (status: number, data: unknown = { error: 'No.' }) =>
  () =>
    Promise.reject(httpFailure(status, data));

test.each<[unknown, () => unknown, IDataObject]>([
  ['', refused(500), { postcode: '', reason: 'blank' }],
  [' zz1 1zz', () => Promise.reject(notInDirectory()), { postcode: ' zz1 1zz', reason: 'unknown' }],
  [
    'ZZ1 1ZZ',
    refused(404, { error: 'There is no postcode ZZ1 1ZZ in the directory.' }),
    { postcode: 'ZZ1 1ZZ', reason: 'unknown' },
  ],
  ['nonsense', refused(400), { postcode: 'nonsense', reason: 'malformed' }],
  [12_345, refused(400), { postcode: 12_345, reason: 'malformed' }],
])(
  'Look Up that continues on unknown postcodes returns the reason for %p',
  async (postcode, answer, expected) => {
    const { json } = await run(lookupPostcode, { postcode, options: { ifNotFound: 'item' } }, answer);
    expect(json).toEqual({ found: false, ...expected });
  },
);

test('Look Up that continues on unknown postcodes still stops on other errors', async () => {
  const options = { ifNotFound: 'item' };
  await expect(run(lookupPostcode, { postcode: 'SW1A 1AA', options }, refused(401))).rejects.toMatchObject({
    message: 'No.',
  });
});

test.each([
  ['a page of somebody else', 404, '<html>404 Not Found</html>', { message: WRONG }],
  ['a rejection of somebody else', 400, '<html>400 Bad Request</html>', { message: WRONG }],
  ['a path that is not there', 404, { error: 'There is nothing at this path.' }, { message: WRONG }],
  ['a rejection for another reason', 400, { error: 'The body is too large.' }, { httpCode: '400' }],
])(
  'Look Up that continues on unknown postcodes does not take %s for a missing postcode',
  async (_name, status, data, expected) => {
    const options = { ifNotFound: 'item' };
    const answer = refused(status, data);
    await expect(run(lookupPostcode, { postcode: 'SW1A 1AA', options }, answer)).rejects.toMatchObject(
      expected,
    );
  },
);

test.each([
  ['Look Up', lookupPostcode, { postcode: 'SW1A 1AA', options: { ifNotFound: 'item' } }],
  ['Look Up Many', lookupPostcodes, { source: 'list', postcodes: 'SW1A 1AA' }],
  ['Find Nearest', findNearestPostcodes, { latitude: 51.5, longitude: 0.1 }],
  ['Autocomplete', autocompletePostcode, { partial: 'M11' }],
])('%s rejects JSON that does not come from Signpost', async (_name, operation, parameters) => {
  for (const body of [{}, { status: 'ok' }, []])
    await expect(run(operation, parameters, () => success(body))).rejects.toMatchObject({ message: WRONG });
});
