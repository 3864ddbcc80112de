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
const outcodeOf = (outcode: string) => answerOf(send('outcode', { outcode }), contract.getOutcodeResponse);

const areaOf = (body: object) => answerOf(send('area', body), contract.listAreaPostcodesResponse);

describe('outcode', () => {
  test.each(['M1', ' m 1', 'M1-', 'MI'])('the text %j is taken as the outcode M1', async (outcode) => {
    const { status, body } = await outcodeOf(outcode);
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      outcode: 'M1',
      latitude: expect.closeTo(53.48, 1),
      longitude: expect.closeTo(-2.23, 1),
      activePostcodes: 2,
      terminatedPostcodes: 0,
      countries: ['England'],
      regions: ['North West'],
      localAuthorities: ['Manchester'],
    });
  });

  test('an unknown outcode is a 404 that names it; an outcode with only terminated postcodes has no location and no countries', async () => {
    const { status, body } = await rejectionOf(send('outcode', { outcode: 'zz9' }));
    expect(status).toBe(404);
    expect(body.error).toMatch(/^There is no outcode ZZ9 in the directory\. .*postcodes import/u);
    expect((await outcodeOf('NPT')).body.result).toMatchObject({
      latitude: null,
      easting: null,
      activePostcodes: 0,
      terminatedPostcodes: 1,
      countries: [],
    });
  });

  test('a text that cannot be an outcode is a 400, and a whole postcode a 400 that says what to send instead', async () => {
    expect(await rejectionOf(send('outcode', { outcode: 'hello' }))).toMatchObject({
      status: 400,
      body: { error: '"outcode" must be the first half of a UK postcode such as "SW1A", but is "hello".' },
    });
    expect(await rejectionOf(send('outcode', { outcode: 'swia-1aa' }))).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(
          /but SW1A 1AA is a whole one\. Send \{"outcode": "SW1A"\}, .* POST \/api\/postcode\/lookup\.$/u,
        ),
      },
    });
    expect((await rejectionOf(send('outcode', { outcod: 'SW1A' }))).body.error).toContain(
      'did you mean "outcode"?',
    );
  });
});

describe('area', () => {
  test('an area found by kind and name lists its active postcodes in order, page by page, with their total', async () => {
    const wales = { kind: 'country', name: 'wales' };
    const { status, body } = await areaOf({ ...wales, limit: 1_000 });
    expect(status).toBe(200);
    expect(body.area).toMatchObject({ kind: 'country', name: 'Wales' });
    expect(body.postcodes).toEqual(body.postcodes.toSorted());
    expect(body.postcodes).toHaveLength(body.total);
    expect(body.postcodes).not.toContain('NPT 0AD');
    const second = (await areaOf({ ...wales, offset: 1, limit: 2 })).body;
    expect(second).toEqual({ ...body, postcodes: body.postcodes.slice(1, 3) });
  });

  test('every postcode listed for Manchester is in Manchester, and those of the wards of M1 are among them', async () => {
    const { postcodes } = (await areaOf({ kind: 'localAuthority', name: 'Manchester' })).body;
    const records = await answerOf(send('bulk', { postcodes }), contract.lookupPostcodesResponse);
    expect(new Set(records.body.results.map(({ localAuthority }) => localAuthority))).toEqual(
      new Set(['Manchester']),
    );
    const { wards } = (await outcodeOf('M1')).body.result;
    for (const name of wards)
      expect(postcodes).toEqual(
        expect.arrayContaining((await areaOf({ kind: 'ward', name })).body.postcodes),
      );
  });

  test('an unknown area is a 404 that names it; a request needs either a code, or a kind and a name', async () => {
    expect(await rejectionOf(send('area', { kind: 'ward', name: 'Atlantis' }))).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching(/^There is no ward named "Atlantis" in the directory\./u) },
    });
    const nearest = await rejectionOf(send('area', { kind: 'localAuthority', name: 'City of Westminster' }));
    expect(nearest.body).toMatchObject({
      error: expect.stringContaining('Did you mean "Westminster" (localAuthority)?'),
      suggestions: [{ kind: 'localAuthority', code: 'E09000033', name: 'Westminster' }],
    });
    expect((await rejectionOf(send('area', { code: 'X99' }))).status).toBe(404);
    expect((await rejectionOf(send('area', { kind: 'country', name: 'UK' }))).body.error).toMatch(
      /The countries are "Channel Islands", "England", .*"Wales"\./u,
    );
    for (const body of [{}, { kind: 'ward' }, { code: 'W92000004', name: 'Wales' }])
      expect((await rejectionOf(send('area', body))).status).toBe(400);
  });
});

test('the directory operation says which directory is in use, and that it is the sample', async () => {
  const answer = await answerOf(
    server.get('/api/postcode/directory'),
    contract.getDirectoryResponse.strict(),
  );
  expect(answer).toMatchObject({
    status: 200,
    body: { edition: 'sample', source: 'sample', postcodes: 173, importedAt: null, isSample: true },
  });
  expect(Object.keys(answer.body.vintages)).toEqual(contract.areaCodes.keyof().options);
});

test('each request about outcodes, areas or the directory counts once, even if it is rejected', async () => {
  const requests = async () =>
    (await answerOf(server.get('/api/usage'), contract.usageStatistics)).body.totalRequests;
  const before = await requests();
  await outcodeOf('M1');
  await send('outcode', { outcode: 'hello' });
  await areaOf({ kind: 'country', name: 'Wales' });
  await areaOf({ kind: 'country', name: 'Wales', offset: 100 });
  await server.get('/api/postcode/directory');
  expect(await requests()).toBe(before + 6);
});

test('the names of Jersey, Guernsey and the Isle of Man list their postcodes, and similar names are rejected with these as suggestions', async () => {
  for (const [name, area, total] of [
    ['Jersey', 'JE', 4],
    ['guernsey', 'GY', 2],
    ['Isle of Man', 'IM', 2],
  ] as const) {
    const { status, body } = await areaOf({ kind: 'country', name, limit: 2 });
    expect([name, status, body.total, body.postcodes.length]).toEqual([name, 200, total, 2]);
    expect(body.area.name.toLowerCase()).toBe(name.toLowerCase());
    expect(body.postcodes.every((postcode) => postcode.startsWith(area))).toBe(true);
  }
  for (const [kind, name, words] of [
    ['localAuthority', 'Jersey', /Did you mean "Jersey" \(country\)\?/u],
    ['country', 'Man', /Did you mean "Isle of Man" \(country\)/u],
    ['country', 'Alderney', /Did you mean "Guernsey" \(country\)/u],
  ] as const) {
    const { status, body } = await rejectionOf(send('area', { kind, name }));
    expect([name, status]).toEqual([name, 404]);
    expect(body.error).toMatch(words);
  }
});
