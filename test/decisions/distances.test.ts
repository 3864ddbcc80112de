import * as contract from '@signpost/contract';
import { answerOf, rejectionOf } from '../fixtures/answers.js';
import { startConsoleApp, type ConsoleApp } from '../fixtures/console-app.js';
import { UNLIMITED } from '../fixtures/unlimited.js';

let server: ConsoleApp;

beforeAll(async () => {
  server = await startConsoleApp(UNLIMITED);
});
afterAll(() => server.close());

const send = (operation: string, body: object) => server.post(`/api/postcode/${operation}`, body);
const distance = (body: object) => answerOf(send('distance', body), contract.measureDistanceResponse);
const reverse = (body: object) => answerOf(send('reverse', body), contract.reverseGeocodeResponse);
const find = (text: string) => answerOf(send('find', { text }), contract.findPostcodesInTextResponse);
const nearest = (body: object) => answerOf(send('nearest', body), contract.findNearestPostcodesResponse);
const lookup = async (postcode: string) =>
  (await answerOf(send('lookup', { postcode }), contract.lookupPostcodeResponse)).body.result;

/** The location of a postcode in the sample. */
async function pointOf(postcode: string) {
  const { latitude, longitude } = await lookup(postcode);
  return { latitude: latitude ?? NaN, longitude: longitude ?? NaN };
}

const NOWHERE = { latitude: 0, longitude: 0 };

describe('distance', () => {
  test('distances are in the order of the requested postcodes and points, with null and the reason for those without a location', async () => {
    const edinburgh = await pointOf('EH99 1SP');
    const { results, missing } = (
      await distance({ from: 'sw1a-1aa', to: ['EH99 ISP', edinburgh, 'ZZ99 9ZZ', 'no', 'SW1A 1AA'] })
    ).body;
    expect(missing).toEqual([
      { index: 2, reason: 'unknown' },
      { index: 3, reason: 'malformed' },
    ]);
    const { body } = await distance({ from: 'SW1A 1AA', to: ['JE2 4WD'] });
    expect(body).toEqual({ results: [null], missing: [{ index: 0, reason: 'noCoordinates' }] });
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.metres).toBeGreaterThan(520_000);
    expect(results[0]?.metres).toBeLessThan(550_000);
    expect(results[0]?.bearingDegrees).toBeGreaterThan(330);
    expect(results.slice(2)).toEqual([null, null, { metres: 0, bearingDegrees: null }]);
  });

  test('a distance is the same in both directions', async () => {
    const [there] = (await distance({ from: 'SW1A 1AA', to: ['M1 1AE'] })).body.results;
    const [back] = (await distance({ from: 'M1 1AE', to: ['SW1A 1AA'] })).body.results;
    expect(there?.metres).toBe(back?.metres);
  });

  test('an unknown "from" is a 404 that names it, and a "from" that cannot be a postcode a 400', async () => {
    expect(await rejectionOf(send('distance', { from: 'zz999zz', to: ['SW1A 1AA'] }))).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining('ZZ99 9ZZ') },
    });
    expect(await rejectionOf(send('distance', { from: 'here', to: ['SW1A 1AA'] }))).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(
          /^"from" must be a UK postcode .* send the latitude and longitude instead\.$/u,
        ),
      },
    });
  });
});

describe('reverse', () => {
  test('reverse geocoding returns the nearest postcode to each point, as the operation nearest does, or null', async () => {
    const points = [await pointOf('SW1A 1AA'), NOWHERE, await pointOf('EH99 1SP')];
    const { results } = (await reverse({ points })).body;
    expect(results.map((record) => record?.postcode)).toEqual(['SW1A 1AA', undefined, 'EH99 1SP']);
    expect(results[1]).toBeNull();
    expect(results[0]).toEqual((await nearest({ ...points[0], limit: 1 })).body.results[0]);
  });

  test('reverse geocoding accepts a hundred points at once, and returns no postcode outside the requested radius', async () => {
    const { latitude, longitude } = await pointOf('SW1A 1AA');
    const points = Array.from({ length: 100 }, (_, index) => ({
      latitude: latitude + index / 100,
      longitude,
    }));
    const { results } = (await reverse({ points, radiusMetres: 100 })).body;
    expect(results).toHaveLength(100);
    expect(results[0]?.distanceMetres).toBe(0);
    for (const record of results) expect(record?.distanceMetres ?? 0).toBeLessThanOrEqual(100);
  });
});

describe('find', () => {
  test('find returns the postcodes in a text with their offsets in UTF-16 units, and whether each exists', async () => {
    const text = '📮 sw1a-1aa, then ZZ99\n9ZZ; not XSW1A 1AA, but NPT0AD.';
    const { results } = (await find(text)).body;
    expect(results.map(({ start, end }) => text.slice(start, end))).toEqual([
      'sw1a-1aa',
      'ZZ99\n9ZZ',
      'NPT0AD',
    ]);
    expect(results.map(({ postcode, isValid }) => [postcode, isValid])).toEqual([
      ['SW1A 1AA', true],
      ['ZZ99 9ZZ', false],
      ['NPT 0AD', true],
    ]);
    expect(results.map(({ isActive }) => isActive)).toEqual([true, false, false]);
    expect((await find('')).body.results).toEqual([]);
  });

  test('find accepts several texts at once, and each result has the index of its text', async () => {
    const { results } = (
      await answerOf(
        send('find', { texts: ['At SW1A 1AA.', 'none', 'EH99 1SP or M1 1AE'] }),
        contract.findPostcodesInTextResponse,
      )
    ).body;
    expect(results.map(({ postcode, start, index }) => [postcode, start, index])).toEqual([
      ['SW1A 1AA', 3, 0],
      ['EH99 1SP', 0, 2],
      ['M1 1AE', 12, 2],
    ]);
    for (const body of [
      {},
      { text: 'x', texts: ['x'] },
      { texts: [] },
      { texts: ['x'.repeat(60_000), 'x'.repeat(60_000)] },
    ])
      expect((await rejectionOf(send('find', body))).status).toBe(400);
  });

  test('find returns each postcode of a text with many postcodes', async () => {
    const { postcodes } = (
      await answerOf(
        send('autocomplete', { partial: 'SW', limit: 100 }),
        contract.autocompletePostcodeResponse,
      )
    ).body;
    const { results } = (await find(postcodes.join('; '))).body;
    expect(results.map(({ postcode, isValid }) => [postcode, isValid])).toEqual(
      postcodes.map((postcode) => [postcode, true]),
    );
  });

  test('find accepts a text of 100,000 characters, even escaped in JSON, and rejects a longer one', async () => {
    const body = `{"text":"${'\\u20ac'.repeat(99_990)} SW1A 1AA "}`;
    const answered = answerOf(
      fetch(`${server.url}/api/postcode/find`, {
        method: 'POST',
        headers: { 'X-Api-Key': server.apiKey, 'Content-Type': 'application/json' },
        body,
      }),
      contract.findPostcodesInTextResponse,
    );
    expect((await answered).body.results).toHaveLength(1);
    expect(await rejectionOf(send('find', { text: 'x'.repeat(100_001) }))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('at most 100000 characters') },
    });
  });
});

describe('nearest', () => {
  test('the postcodes nearest to a postcode are those nearest to its location', async () => {
    const point = await pointOf('SW1A 1AA');
    expect((await nearest({ postcode: 'sw1a.iaa' })).body).toEqual((await nearest(point)).body);
  });

  test('nearest with an offset returns the results from that offset on, and the total', async () => {
    const query = { postcode: 'SW1A 1AA', radiusMetres: 20_000 };
    const whole = (await nearest({ ...query, limit: 100 })).body;
    expect(whole.total).toBeUndefined();
    const { results, total } = (await nearest({ ...query, limit: 3, offset: 2 })).body;
    expect(results).toEqual(whole.results.slice(2, 5));
    expect(total).toBe(whole.results.length);
    expect((await nearest({ ...query, offset: 10_000 })).body).toEqual({ results: [], total });
  });
});

const palace = { latitude: 51.501, longitude: -0.1416 };
const PLACE =
  'must be a UK postcode such as "SW1A 1AA" or a point such as {"latitude": 51.501, "longitude": -0.1416}';

test.each([
  ['distance', { from: 5, to: ['SW1A 1AA'] }, `"from" ${PLACE}, but is 5.`],
  ['distance', { from: 'SW1A 1AA', to: ['a', 7] }, `"to[1]" ${PLACE}, but is 7.`],
  ['distance', { from: 'SW1A 1AA', to: [] }, '"to" must be a list of 1 to 100 entries, but is a list of 0.'],
  [
    'distance',
    { from: palace, to: [{ latitude: 91, longitude: 0 }] },
    '"to[0].latitude" must be a number from -90 to 90, but is 91.',
  ],
  [
    'distance',
    { from: { latitude: 51.5 }, to: ['SW1A 1AA'] },
    '"from.longitude" is missing: it must be a number from -180 to 180.',
  ],
  [
    'distance',
    { from: { ...palace, latitud: 1 }, to: ['SW1A 1AA'] },
    'In "from": "latitud" is not a field: did you mean "latitude"?',
  ],
  ['reverse', { points: ['a'] }, '"points[0]" must be an object with "latitude", "longitude", but is "a".'],
  ['reverse', { points: [] }, '"points" must be a list of 1 to 100 objects, but is a list of 0.'],
  [
    'reverse',
    { points: [palace], radiusMetres: 99 },
    '"radiusMetres" must be a number from 100 to 20000, but is 99.',
  ],
  [
    'find',
    {},
    '"text" is missing: it must be a string of at most 100000 characters, unless "texts" is given in its place.',
  ],
  ['nearest', { ...palace, postcode: 'SW1A 1AA' }, '"latitude" must be left out if "postcode" is given'],
  [
    'nearest',
    { latitude: 51.5 },
    '"longitude" is missing: it must be a number from -180 to 180, unless "postcode" is given in place of the point.',
  ],
  [
    'nearest',
    { ...palace, offset: 10_001 },
    '"offset" must be a whole number from 0 to 10000, but is 10001.',
  ],
  [
    'nearest',
    { postcode: 'SW1A' },
    '"postcode" must be a whole UK postcode such as "SW1A 1AA", but SW1A is an',
  ],
])('the operation %s with the body %j is a 400 that says what to change', async (operation, body, words) => {
  const rejection = await rejectionOf(send(operation, body));
  expect(rejection.status).toBe(400);
  expect(rejection.body.error).toContain(words);
});

test('nearest to a postcode that does not exist is a 404 that names it', async () => {
  expect(await rejectionOf(send('nearest', { postcode: 'zz999zz' }))).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('ZZ99 9ZZ') },
  });
});
