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
const lookup = (postcode: string) => answerOf(send('lookup', { postcode }), contract.lookupPostcodeResponse);
const bulk = (postcodes: string[]) => answerOf(send('bulk', { postcodes }), contract.lookupPostcodesResponse);
const validate = (postcode: string) =>
  answerOf(send('validate', { postcode }), contract.validatePostcodeResponse);
const nearest = (body: object) => answerOf(send('nearest', body), contract.findNearestPostcodesResponse);
const autocomplete = (body: object) =>
  answerOf(send('autocomplete', body), contract.autocompletePostcodeResponse);
const postcodesOf = (records: readonly contract.PostcodeRecord[]) => records.map(({ postcode }) => postcode);

describe('postcode input', () => {
  test.each(['SW1A 1AA', 'sw1a1aa', ' sW1a\t1Aa ', 'S W 1 A 1 A A'])(
    'the text %j is taken as the postcode SW1A 1AA',
    async (postcode) => {
      expect(await lookup(postcode)).toMatchObject({
        status: 200,
        body: { result: { postcode: 'SW1A 1AA', outcode: 'SW1A', incode: '1AA' } },
      });
    },
  );

  test('a text that cannot be a postcode is a 400 from lookup, isValid false from validate, and notFound in bulk', async () => {
    const postcode = 'not a postcode';
    expect(await rejectionOf(send('lookup', { postcode }))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('"not a postcode"') },
    });
    expect((await validate(postcode)).body).toEqual({ postcode, isValid: false, isActive: false });
    expect((await bulk([postcode])).body).toEqual({
      results: [],
      found: 0,
      notFound: 1,
      missing: [{ index: 0, postcode, reason: 'malformed' }],
    });
  });
});

test('lookup, bulk and autocomplete ignore stray characters; validate does not, but suggests the postcode', async () => {
  for (const dirty of ['SW1A-1AA', '“sw1a.1aa”,', '\uFEFFSW1A\u200b\u00a01A\u00adA\u200e', "'SW1A – 1AA'"]) {
    expect((await lookup(dirty)).body.result.postcode).toBe('SW1A 1AA');
    expect(postcodesOf((await bulk([dirty])).body.results)).toEqual(['SW1A 1AA']);
    expect((await autocomplete({ partial: dirty })).body.postcodes).toEqual(['SW1A 1AA']);
    expect((await validate(dirty)).body).toEqual({
      postcode: dirty,
      isValid: false,
      isActive: false,
      suggestion: 'SW1A 1AA',
    });
  }
  expect((await rejectionOf(send('lookup', { postcode: 'zz99-9zz' }))).body.error).toContain('ZZ99 9ZZ');
  expect((await rejectionOf(send('autocomplete', { partial: 'S-' }))).status).toBe(400);
});

test('an outcode is a 400 from lookup that says where to look it up, and notFound in bulk', async () => {
  for (const postcode of ['SW1A', ' sw1a-', 'SWIA']) {
    const { status, body } = await rejectionOf(send('lookup', { postcode }));
    expect(status).toBe(400);
    expect(body.error).toMatch(
      /SW1A is an outcode.*POST \/api\/postcode\/outcode with \{"outcode": "SW1A"\}.*\/api\/postcode\/autocomplete/u,
    );
    expect((await bulk([postcode])).body).toEqual({
      results: [],
      found: 0,
      notFound: 1,
      missing: [{ index: 0, postcode, reason: 'malformed' }],
    });
  }
});

describe('a typed separator ends the outcode', () => {
  test.each([
    ['E1 6', 'E1'],
    ['M1 1', 'M1'],
    ['M1-1', 'M1'],
    ['se1\u00a00', 'SE1'],
    ['SE1 – 1', 'SE1'],
    ['M 1 1', 'M1'],
    ['m1.1', 'M1'],
  ])(
    'the text %j is a sector, which is neither an outcode nor a postcode, and has no location',
    async (sector, outcode) => {
      for (const request of [
        send('outcode', { outcode: sector }),
        send('lookup', { postcode: sector }),
        send('nearest', { postcode: sector }),
        send('distance', { from: sector, to: ['M1 1AE'] }),
      ]) {
        const { status, body } = await rejectionOf(request);
        expect(status).toBe(400);
        expect(body.error).toContain(`${JSON.stringify(sector)} is a sector of ${outcode}.`);
      }
      expect((await bulk([sector])).body.missing).toMatchObject([{ reason: 'malformed' }]);
      expect((await validate(sector)).body).toEqual({ postcode: sector, isValid: false, isActive: false });
    },
  );

  test.each(['M1 11AE', 'M1-13FF', 'M11 AE', 'SE1 10SS'])(
    'the text %j has its separator in the wrong place and is rejected',
    async (postcode) => {
      expect((await rejectionOf(send('lookup', { postcode }))).status).toBe(400);
      expect((await rejectionOf(send('nearest', { postcode }))).status).toBe(400);
      expect((await bulk([postcode])).body).toMatchObject({ found: 0, missing: [{ reason: 'malformed' }] });
      expect((await validate(postcode)).body.isValid).toBe(false);
      const distances = send('distance', { from: 'M1 1AE', to: [postcode] });
      expect((await answerOf(distances, contract.measureDistanceResponse)).body.results).toEqual([null]);
      const found = send('find', { text: `It is at ${postcode}.` });
      expect((await answerOf(found, contract.findPostcodesInTextResponse)).body.results).toEqual([]);
    },
  );

  test('autocomplete lists the postcodes of a sector with a space, a hyphen, a dash or a full stop in it', async () => {
    for (const partial of ['M1 1', 'm1-1', 'M1 – 1', 'M1.1'])
      expect((await autocomplete({ partial })).body.postcodes).toEqual(['M1 1AD', 'M1 1AE']);
    expect((await autocomplete({ partial: 'M11' })).body.postcodes).toEqual(['M11 3FF', 'M1 1AD', 'M1 1AE']);
  });

  test('lookup and outcode ignore a separator if the second half cannot begin after it', async () => {
    expect((await lookup('SW1 A1AA')).body.result.postcode).toBe('SW1A 1AA');
    const answer = await answerOf(send('outcode', { outcode: 'S.W.1.A' }), contract.getOutcodeResponse);
    expect(answer.body.result.outcode).toBe('SW1A');
  });
});

test('lookup of an unknown postcode is a 404 that names it', async () => {
  expect(await rejectionOf(send('lookup', { postcode: 'zz999zz' }))).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('ZZ99 9ZZ') },
  });
});

test('validate returns the canonical form of a text that has the form of a postcode', async () => {
  expect((await validate('zz999zz')).body).toEqual({ postcode: 'ZZ99 9ZZ', isValid: false, isActive: false });
  expect((await validate(' sw1a1aa')).body).toEqual({ postcode: 'SW1A 1AA', isValid: true, isActive: true });
});

test('lookup and bulk correct typing errors, and their records show the real postcode; validate suggests it', async () => {
  expect((await lookup('SWIA OAA')).body.result.postcode).toBe('SW1A 0AA');
  expect((await lookup('SW1A LAA')).body.result.postcode).toBe('SW1A 1AA');
  expect(postcodesOf((await bulk(['SWIA OAA', 'SWlA 1AA'])).body.results)).toEqual(['SW1A 0AA', 'SW1A 1AA']);
  expect((await validate('SWIA OAA')).body).toEqual({
    postcode: 'SWIA OAA',
    isValid: false,
    isActive: false,
    suggestion: 'SW1A 0AA',
  });
  expect((await validate('SWIA OZZ')).body.suggestion).toBeUndefined();
});

test('bulk returns a record per found postcode in the requested order, with duplicates; found + notFound = number requested', async () => {
  const { body } = await bulk(['SW1A 1AA', 'ZZ99 9ZZ', 'SW1A 0AA', 'x', 'sw1a1aa']);
  expect(postcodesOf(body.results)).toEqual(['SW1A 1AA', 'SW1A 0AA', 'SW1A 1AA']);
  expect(body.results.map(({ index }) => index)).toEqual([0, 2, 4]);
  expect(body).toMatchObject({
    found: 3,
    notFound: 2,
    missing: [
      { index: 1, postcode: 'ZZ99 9ZZ', reason: 'unknown' },
      { index: 3, postcode: 'x', reason: 'malformed' },
    ],
  });
});

test('lookup, bulk and nearest add the codes, areas and history that "include" names, in the order of the contract', async () => {
  const include = ['history', 'codes', 'areas'];
  const plain = (await lookup('SW1A 1AA')).body.result;
  const { result } = (
    await answerOf(send('lookup', { postcode: 'SW1A 1AA', include }), contract.lookupPostcodeResponse)
  ).body;
  expect(Object.keys(result)).toEqual([...Object.keys(plain), 'codes', 'areas', 'history']);
  expect(result).toMatchObject({
    ...plain,
    codes: { country: 'E92000001', localAuthority: 'E09000033' },
    areas: { gridReference: 'TQ 29090 79645' },
    history: { introduced: null, terminated: null, positionalQuality: null },
  });
  const { body } = await answerOf(
    send('bulk', { postcodes: ['SW1A 1AA'], include }),
    contract.lookupPostcodesResponse,
  );
  expect(body.results).toEqual([{ ...result, index: 0 }]);
  const { latitude, longitude } = plain;
  const { results } = (await nearest({ latitude, longitude, limit: 1, include })).body;
  expect(results).toEqual([{ ...result, distanceMetres: 0 }]);
  expect((await nearest({ latitude, longitude, limit: 1, include: [] })).body.results).toEqual([
    { ...plain, distanceMetres: 0 },
  ]);
});

test('bulk accepts 1 to 100 postcodes', async () => {
  expect((await rejectionOf(send('bulk', { postcodes: [] }))).status).toBe(400);
  expect((await bulk(Array<string>(100).fill('SW1A 1AA'))).body.found).toBe(100);
  const { body } = await rejectionOf(send('bulk', { postcodes: Array(101).fill('SW1A 1AA') }));
  expect(body.error).toContain('a list of 1 to 100 strings, but is a list of 101');
});

test('nearest returns active records with distanceMetres, nearest first', async () => {
  const palace = (await lookup('SW1A 1AA')).body.result;
  const point = { latitude: palace.latitude, longitude: palace.longitude };
  const { results } = (await nearest({ ...point, radiusMetres: 20_000, limit: 100 })).body;
  expect(results[0]).toEqual({ ...palace, distanceMetres: 0 });
  const distances = results.map(({ distanceMetres }) => distanceMetres);
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  expect(distances.every((metres) => Number(metres.toFixed(1)) === metres && metres <= 20_000)).toBe(true);
  expect(results.every(({ isActive }) => isActive)).toBe(true);
});

test('nearest returns 200 and an empty list if nothing is in range', async () => {
  expect(await nearest({ latitude: -90, longitude: 180 })).toMatchObject({
    status: 200,
    body: { results: [] },
  });
});

test('nearest says if a point is not in the UK, and if it would be with its coordinates swapped', async () => {
  const note = async (latitude: number, longitude: number) =>
    (await nearest({ latitude, longitude })).body.note;
  expect(await note(-0.14, 51.5)).toMatch(
    /^Not in the UK: -0\.14, 51\.5\. With latitude and longitude swapped/u,
  );
  expect(await note(-90, 180)).toMatch(/^Not in the UK: -90, 180\./u);
  expect(await note(57.5, -8.9)).toBeUndefined();
});

test('autocomplete of " s w1" returns canonical postcodes, first those that begin with SW1 and a letter', async () => {
  const { postcodes } = (await autocomplete({ partial: ' s w1', limit: 100 })).body;
  expect(postcodes).toContain('SW1A 1AA');
  const isLettered = (postcode: string) => /^SW1[A-Z]/u.test(postcode);
  expect(postcodes).toEqual([
    ...postcodes.filter(isLettered).toSorted(),
    ...postcodes.filter((postcode) => !isLettered(postcode)).toSorted(),
  ]);
});

test('autocomplete ends the outcode at a space, lists the typed outcode first if there is none, and corrects typing errors', async () => {
  const completed = async (partial: string) => (await autocomplete({ partial, limit: 100 })).body.postcodes;
  expect(await completed('M11 ')).toEqual(['M11 3FF']);
  expect(await completed('M11')).toEqual(['M11 3FF', 'M1 1AD', 'M1 1AE']);
  expect(await completed('M1 1')).toEqual(['M1 1AD', 'M1 1AE']);
  expect(await completed('SE1 2')).toEqual(['SE1 2DL', 'SE1 2UP']);
  expect((await completed('SE1')).slice(0, 4)).toEqual(['SE1 2DL', 'SE1 2UP', 'SE1 9TG', 'SE10 8XJ']);
  expect(await completed('MI1 ')).toEqual(['M11 3FF']);
});

test('autocomplete has a limit of 1 to 100, by default 10, and needs 2 characters besides spaces', async () => {
  const { postcodes } = (await autocomplete({ partial: 'SW', limit: 100 })).body;
  for (const limit of [1, 2])
    expect((await autocomplete({ partial: 'SW', limit })).body.postcodes).toEqual(postcodes.slice(0, limit));
  // The sample has no ten postcodes that begin with the same two characters.
  expect(contract.autocompletePostcodeRequest.parse({ partial: 'SW' })).toMatchObject({ limit: 10 });
  expect((await rejectionOf(send('autocomplete', { partial: ' s ' }))).status).toBe(400);
  for (const limit of [0, 101]) {
    expect((await rejectionOf(send('autocomplete', { partial: 'SW', limit }))).status).toBe(400);
  }
});

test('a record contains names, and null for those that the directory does not have', async () => {
  expect((await lookup('SW1A 1AA')).body.result).toMatchObject({
    country: 'England',
    region: 'London',
    localAuthority: 'Westminster',
  });
  expect((await lookup('EH99 1SP')).body.result).toMatchObject({ country: 'Scotland', region: null });
});

test('a terminated postcode is in the directory with isActive false', async () => {
  expect((await lookup('NPT 0AD')).body.result.isActive).toBe(false);
  expect((await validate('NPT 0AD')).body).toMatchObject({ isValid: true, isActive: false });
});
