import type { Backend } from '../client/backend.js';
import { findPostcodesInText } from './distance-tools.js';
import type { Tool } from './tool.js';
import { autocompletePostcode, findNearestPostcodes, lookupPostcodes } from './postcode-tools.js';

const backendThat = (answer: unknown): Backend => ({
  call: () => Promise.resolve(JSON.parse(JSON.stringify(answer))),
});

const files = { kind: 'links', keep: () => Promise.resolve(undefined) } as const;
const NEAREST = { results: [] };
const wordsOf = async (tool: typeof findNearestPostcodes, args: object, answer: unknown) => {
  const { signal } = new AbortController();
  const context = { backend: backendThat(answer), files, signal, report: () => undefined };
  const [first] = (await tool.call(args, context)).content;
  return first?.type === 'text' ? first.text : '';
};

test.each([
  [{ latitude: -0.1416, longitude: 51.501 }, /latitude 51\.501 and longitude -0\.1416 are: call again/u],
  [{ latitude: 48.85, longitude: 2.35 }, /The point is not in the UK/u],
  [{ latitude: 53.5, longitude: -4 }, /A larger radiusMetres \(at most 20000\) may find some/u],
  [{ latitude: 53.5, longitude: -4, radiusMetres: 20_000 }, /the point may lie at sea/u],
])('where nothing is near %j the words say what to do', async (args, words) => {
  expect(await wordsOf(findNearestPostcodes, args, NEAREST)).toMatch(words);
});

test.each([
  [10, /raise limit \(at most 100\), or send more characters/u],
  [100, /There may be more: send more characters/u],
])('with %i that begin so, the words lead on', async (limit, words) => {
  const postcodes = Array.from({ length: limit }, () => 'SW1A 1AA');
  expect(await wordsOf(autocompletePostcode, { partial: 'SW', limit }, { postcodes })).toMatch(words);
});

const RECORD = {
  ...{ postcode: 'SW1A 1AA', outcode: 'SW1A', incode: '1AA', latitude: 51.5, longitude: -0.14 },
  ...{
    easting: 529_090,
    northing: 179_645,
    country: 'England',
    region: 'London',
    localAuthority: 'Westminster',
  },
  ...{ ward: "St James's", constituency: 'Cities of London and Westminster', lsoa: 'L', msoa: null },
  ...{
    policeForce: 'Metropolitan Police',
    icb: 'North West London',
    isActive: true,
    codes: { ward: 'E05013806' },
  },
};

async function listed(tool: Tool, args: object, answer: object) {
  const asked: unknown[] = [];
  const backend: Backend = {
    call: (_id, request) => {
      asked.push(request);
      return Promise.resolve(JSON.parse(JSON.stringify(answer)));
    },
  };
  const { signal } = new AbortController();
  const { content, structuredContent } = await tool.call(args, {
    ...{ backend, files, signal, report: () => undefined },
  });
  const [first] = content;
  return { asked, structuredContent, words: first?.type === 'text' ? first.text : '' };
}

test('fields are all that a list says of its records, in words and as fields, beside what was asked for otherwise', async () => {
  const bulk = { results: [RECORD], found: 1, notFound: 0, missing: [] };
  const args = { postcodes: ['sw1a1aa'], include: ['codes'] };
  const { asked, structuredContent, words } = await listed(
    lookupPostcodes,
    { ...args, fields: ['constituency', 'msoa'] },
    bulk,
  );
  expect(asked).toEqual([args]);
  const { postcode, constituency, codes } = RECORD;
  expect(structuredContent).toEqual({ ...bulk, results: [{ postcode, constituency, msoa: null, codes }] });
  expect(words).toBe(
    '1 of 1 found.\nSW1A 1AA; constituency Cities of London and Westminster\ncodes: ward E05013806',
  );
  expect((await listed(lookupPostcodes, args, bulk)).structuredContent).toEqual(bulk);
});

test('with no fields nearest answers postcodes and distances alone', async () => {
  const results = [{ ...RECORD, codes: undefined, distanceMetres: 12.5 }];
  const args = { postcode: 'SW1A 1AA', limit: 1, offset: 0, fields: [] };
  const { structuredContent, words } = await listed(findNearestPostcodes, args, { results, total: 7 });
  expect(structuredContent).toEqual({ results: [{ postcode: 'SW1A 1AA', distanceMetres: 12.5 }], total: 7 });
  expect(words).toMatch(/of 7\.\n12\.5 m {2}SW1A 1AA$/u);
});

test('a field that there is not is refused with those that there are', async () => {
  const args = { postcodes: ['SW1A 1AA'], fields: ['county'] };
  expect((await listed(lookupPostcodes, args, {})).words).toMatch(/fields\[0\]: .*"constituency"/u);
});

test('a text of 10,000 characters is searched, and a longer one is refused before it is sent', async () => {
  const text = 'x'.repeat(10_000);
  expect((await listed(findPostcodesInText, { text }, { results: [] })).asked).toEqual([{ text }]);
  const { asked, words } = await listed(findPostcodesInText, { text: `${text}x` }, { results: [] });
  expect([asked, words]).toEqual([[], expect.stringMatching(/text: .*10000 characters/u)]);
  expect(words.length).toBeLessThan(1_000);
});
