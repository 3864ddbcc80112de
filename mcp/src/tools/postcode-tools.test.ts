import type { Backend } from '../client/backend.js';
import { findPostcodesInText } from './distance-tools.js';
import type { Tool } from './tool.js';
import { measureDistance } from './distance-tools.js';
import {
  autocompletePostcode,
  findNearestPostcodes,
  lookupPostcode,
  lookupPostcodes,
} from './postcode-tools.js';
import { SignpostApiError } from '../client/signpost-api-error.js';

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
])('says what to do if nothing is near %j', async (args, words) => {
  expect(await wordsOf(findNearestPostcodes, args, NEAREST)).toMatch(words);
});

test.each([
  [
    '-0.1416,51.501',
    ['SW1A 1AA'],
    /^Not in the UK, but it would be with .* exchanged: -0\.1416, 51\.501\. Latitude comes[\s\S]*\nFrom -0\.1416, 51\.501/u,
  ],
  [
    'SW1A 1AA',
    ['51.5,-0.1', '-0.1,51.5', '48.9,2.4'],
    / exchanged: -0\.1, 51\.5\. .*Not in the UK: 48\.9, 2\.4\.\nFrom SW1A 1AA/u,
  ],
])('names the points of a distance from %s to %j that are not in the UK', async (from, to, words) => {
  const results = to.map(() => ({ metres: 5_711_234.5, bearingDegrees: 9 }));
  const { words: said, structuredContent } = await listed(
    measureDistance,
    { from, to },
    { results, missing: [] },
  );
  expect(said).toMatch(words);
  expect(structuredContent).toEqual({ results, missing: [], note: said.split('\n')[0] });
});

test('adds no note about points outside of the UK to distances within it', async () => {
  const missing = [{ index: 1, reason: 'unknown' }];
  const answer = { results: [{ metres: 1, bearingDegrees: null }, null], missing };
  const places = { from: '51.501,-0.1416', to: ['60.8,-0.9', 'ZZ1 1ZZ'] };
  const { words, structuredContent } = await listed(measureDistance, places, answer);
  expect([words, structuredContent]).toEqual([
    expect.stringMatching(/\nZZ1 1ZZ: no such postcode$/u),
    answer,
  ]);
  expect(words).not.toContain('Not in the UK');
});

test.each([
  [10, /raise limit \(at most 100\), or send more characters/u],
  [100, /There may be more: send more characters/u],
])('for %i matches, suggests a longer beginning, and a higher limit if possible', async (limit, words) => {
  const postcodes = Array.from({ length: limit }, () => 'SW1A 1AA');
  expect(await wordsOf(autocompletePostcode, { partial: 'SW', limit }, { postcodes })).toMatch(words);
});

const RECORD = {
  postcode: 'SW1A 1AA',
  outcode: 'SW1A',
  incode: '1AA',
  latitude: 51.5,
  longitude: -0.14,
  easting: 529_090,
  northing: 179_645,
  country: 'England',
  region: 'London',
  localAuthority: 'Westminster',
  ward: "St James's",
  constituency: 'Cities of London and Westminster',
  lsoa: 'L',
  msoa: null,
  policeForce: 'Metropolitan Police',
  icb: 'North West London',
  isActive: true,
  codes: { ward: 'E05013806' },
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
    backend,
    files,
    signal,
    report: () => undefined,
  });
  const [first] = content;
  return { asked, structuredContent, words: first?.type === 'text' ? first.text : '' };
}

test('lookup_postcodes shows only the requested fields and parts, in its text and in its structured content', async () => {
  const bulk = { results: [{ ...RECORD, index: 0 }], found: 1, notFound: 0, missing: [] };
  const args = { postcodes: ['sw1a1aa'], include: ['codes'] };
  const { asked, structuredContent, words } = await listed(
    lookupPostcodes,
    { ...args, fields: ['constituency', 'msoa'] },
    bulk,
  );
  expect(asked).toEqual([args]);
  const { postcode, constituency, codes } = RECORD;
  expect(structuredContent).toEqual({
    ...bulk,
    results: [{ postcode, constituency, msoa: null, codes, index: 0 }],
  });
  expect(words).toBe(
    '1 of 1 found.\nSW1A 1AA; constituency Cities of London and Westminster\ncodes: ward E05013806',
  );
  expect((await listed(lookupPostcodes, args, bulk)).structuredContent).toEqual(bulk);
});

const WHOLE_LINE =
  "SW1A 1AA; 51.5; -0.14; 529090; 179645; England; London; Westminster; St James's; Cities of London and Westminster; L; -; Metropolitan Police; North West London";

test('without requested fields, lists each record in the text, under the headings of its columns', async () => {
  const ended = { ...RECORD, isActive: false, index: 1 };
  const bulk = { results: [{ ...RECORD, index: 0 }, ended], found: 2, notFound: 0, missing: [] };
  const args = { postcodes: ['SW1A 1AA', 'sw1a1aa'] };
  const heading =
    'postcode; latitude; longitude; easting; northing; country; region; localAuthority; ward; constituency; lsoa; msoa; policeForce; icb';
  const codes = '\ncodes: ward E05013806';
  expect((await listed(lookupPostcodes, args, bulk)).words).toBe(
    `2 of 2 found.\n${heading}\n${WHOLE_LINE}${codes}\n${WHOLE_LINE}; terminated${codes}`,
  );
  const nearest = { results: [{ ...RECORD, codes: undefined, distanceMetres: 12.5 }], total: 7 };
  const around = { postcode: 'SW1A 1AA', offset: 0 };
  expect((await listed(findNearestPostcodes, around, nearest)).words).toMatch(
    new RegExp(`of 7\\.\nmetres  ${heading}\n12\\.5 m  ${WHOLE_LINE}$`, 'u'),
  );
});

test('lookup_postcodes says which requested postcodes it did not find, and why', async () => {
  const missing = [
    { index: 0, postcode: 'ZZ1 1ZZ', reason: 'unknown' },
    { index: 1, postcode: 'SW1A', reason: 'malformed' },
  ];
  const args = { postcodes: ['ZZ1 1ZZ', 'SW1A'] };
  const { words } = await listed(lookupPostcodes, args, { results: [], found: 0, notFound: 2, missing });
  expect(words).toBe('0 of 2 found.\nNo such postcode: ZZ1 1ZZ\nNot a whole postcode: SW1A');
});

test.each([
  [0, 1, 1, '1 postcode within 2000 m of SW1A 1AA, nearest first. These are 1 to 1 of 1.'],
  [2, 2, 7, '2 postcodes within 2000 m of SW1A 1AA, nearest first. These are 3 to 4 of 7.'],
  [9, 0, 7, '0 postcodes within 2000 m of SW1A 1AA, nearest first. There are 7, none after offset 9.'],
])('from offset %i, says which %i of %i results are shown', async (offset, length, total, words) => {
  const results = Array.from({ length }, () => ({ ...RECORD, codes: undefined, distanceMetres: 1 }));
  const args = { postcode: 'SW1A 1AA', offset };
  const { words: said } = await listed(findNearestPostcodes, args, { results, total });
  expect(said.split('\n')[0]).toBe(words);
});

/** A record with names as long as the longest ones in the directory. */
const LONG_RECORD = {
  ...RECORD,
  codes: undefined,
  country: 'Northern Ireland',
  region: 'Yorkshire and The Humber',
  localAuthority: 'Bournemouth, Christchurch and Poole',
  ward: 'Armagh City, Banbridge and Craigavon',
  constituency: 'Inverness, Skye and West Ross-shire',
  policeForce: 'Police Service of Northern Ireland',
  icb: 'NHS Buckinghamshire, Oxfordshire and Berkshire West Integrated Care Board',
  lsoa: 'Bournemouth, Christchurch and Poole 001A',
  msoa: 'Bournemouth, Christchurch and Poole 001',
};

test.each([
  ['usual', { ...RECORD, codes: undefined, icb: 'NHS North West London Integrated Care Board' }],
  ['the longest', LONG_RECORD],
])(
  'returns a hundred records with %s names in at most 10,000 tokens, and says what is left out',
  async (_what, record) => {
    const results = Array.from({ length: 100 }, () => record);
    const postcodes = results.map(({ postcode }) => postcode);
    const bulk = await listed(
      lookupPostcodes,
      { postcodes },
      { results, found: 100, notFound: 0, missing: [] },
    );
    const nearest = await listed(
      findNearestPostcodes,
      { latitude: 51.5, longitude: -0.14, radiusMetres: 20_000, limit: 100, offset: 0 },
      { results: results.map((one) => ({ ...one, distanceMetres: 19_999.9 })), total: 12_345 },
    );
    for (const { words, structuredContent } of [bulk, nearest]) {
      expect(JSON.stringify([words, structuredContent]).length / 4).toBeLessThanOrEqual(10_000);
      expect(words).toMatch(/Left out, as the list is long: outcode, incode, .*name them in "fields"/u);
      expect(words).toContain(record.constituency);
      expect(structuredContent).toMatchObject({ note: expect.stringMatching(/^Left out, .*easting/u) });
    }
    const listedNames = [...bulk.words.split('\n').slice(2, 3), String(bulk.structuredContent?.['note'])];
    for (const name of Object.keys(LONG_RECORD).filter((one) => one !== 'codes' && one !== 'isActive'))
      expect(listedNames.join(' ')).toContain(name);
  },
);

test('find_nearest_postcodes returns only postcodes and distances for an empty list of fields', async () => {
  const results = [{ ...RECORD, codes: undefined, distanceMetres: 12.5 }];
  const args = { postcode: 'SW1A 1AA', limit: 1, offset: 0, fields: [] };
  const { structuredContent, words } = await listed(findNearestPostcodes, args, { results, total: 7 });
  expect(structuredContent).toEqual({ results: [{ postcode: 'SW1A 1AA', distanceMetres: 12.5 }], total: 7 });
  expect(words).toMatch(/of 7\.\n12\.5 m {2}SW1A 1AA$/u);
});

test('lookup_postcodes rejects an unknown name in "fields" and lists the valid names', async () => {
  const args = { postcodes: ['SW1A 1AA'], fields: ['county'] };
  expect((await listed(lookupPostcodes, args, {})).words).toMatch(/fields\[0\]: .*"constituency"/u);
});

test('searches a text of 10,000 characters, and rejects a longer one before sending it', async () => {
  const text = 'x'.repeat(10_000);
  expect((await listed(findPostcodesInText, { text }, { results: [] })).asked).toEqual([{ text }]);
  const { asked, words } = await listed(findPostcodesInText, { text: `${text}x` }, { results: [] });
  expect([asked, words]).toEqual([[], expect.stringMatching(/text: .*10000 characters/u)]);
  expect(words.length).toBeLessThan(1_000);
});

test.each([
  ['Buckingham Palace, London', '"postcode" must be a UK postcode, but is "Buckingham Palac".', true],
  ['BFPO 801', '"postcode" must be a UK postcode, but "BFPO 801" has the form of a BFPO address.', false],
  ['Mall, SW1A 1AA', 'The postcode in it is SW1A 1AA.', false],
  ['12345', '"postcode" must be a UK postcode, but is "12345".', false],
])('adds advice to the error about %j only for the name of a place', async (postcode, message, isAdvised) => {
  const { signal } = new AbortController();
  const backend = { call: () => Promise.reject(new SignpostApiError(message, { status: 400 })) };
  const { isError, content } = await lookupPostcode.call(
    { postcode },
    { backend, files, signal, report: () => undefined },
  );
  expect(isError).toBe(true);
  const words = content[0]?.type === 'text' ? content[0].text : '';
  expect(words).toContain(message);
  expect(words.includes('ask the user for the postcode')).toBe(isAdvised);
  expect(words.includes('find_postcodes_in_text')).toBe(isAdvised);
});

const foundAt = (start: number) => ({
  postcode: 'SW1A 1AA',
  start,
  end: start + 8,
  isValid: true,
  isActive: false,
});

test('returns postcodes of a text in at most 10,000 tokens, and says where in the text the rest begins', async () => {
  const all = { results: Array.from({ length: 1_111 }, (_, index) => foundAt(index * 9)) };
  const { words, structuredContent } = await listed(findPostcodesInText, { text: 'x' }, all);
  expect(words.length + JSON.stringify(structuredContent).length).toBeLessThan(40_000);
  const [note = '', ...lines] = words.split('\n');
  const next = lines.length;
  expect(next).toBeGreaterThan(250);
  expect(note).toBe(
    `Left out, as the list is long: ${1_111 - next} postcodes, the first at ${next * 9}. To get them, call again with the text from there on. Positions then count from its new beginning.`,
  );
  expect(lines.at(-1)).toBe(`SW1A 1AA at ${next * 9 - 9} to ${next * 9 - 1}: exists, but is terminated`);
  expect(structuredContent).toEqual({ results: all.results.slice(0, next), note });
});

test('returns all postcodes of a text that has a hundred', async () => {
  const all = { results: Array.from({ length: 100 }, (_, index) => foundAt(index * 90)) };
  const { words, structuredContent } = await listed(findPostcodesInText, { text: 'x' }, all);
  expect(words.split('\n')).toHaveLength(100);
  expect(structuredContent).toEqual(all);
});
