import { smallDirectory } from '../../../../test/fixtures/postcodes/small-directory.js';
import { PostcodeDirectory } from '../directory.js';
import { describeMissing } from './describe-missing.js';
import { describeText, describeUnknownOutcode, describeWholePostcode } from './describe-text.js';

const directory = new PostcodeDirectory(
  smallDirectory([
    { postcode: 'E1 6AN', names: { region: 'London' } },
    { postcode: 'E1 8AA' },
    { postcode: 'E16 1AN' },
    { postcode: 'EC1A 1BB' },
    { postcode: 'EC1M 4AA' },
    { postcode: 'M1 1AE' },
    { postcode: 'SO14 1AA' },
    { postcode: 'SO15 2AA' },
    { postcode: 'CO1 1AA' },
    { postcode: 'BT1 5GS' },
    { postcode: 'SW1A 2AA', names: { localAuthority: 'E09000033' }, at: [51.5035, -0.1277] },
    { postcode: 'AB1 1AA', isActive: false },
  ]),
);
const describe400 = (text: string) => describeText(directory, 'postcode', text);

/** Returns the path and the fields of every request that a text names. */
const requestsIn = (text: string) =>
  [...text.matchAll(/POST \/api\/postcode\/(\w+) with (\{.*?\})/gu)].map(
    ([, path, fields]): [string | undefined, unknown] => [path, JSON.parse(fields ?? '')],
  );

describe('a text that cannot be a postcode', () => {
  test.each([
    ['E1 6', '"E1 6" is a sector of E1.', [['autocomplete', { partial: 'E1 6' }]]],
    ['EI 6', '"EI 6" is a sector of E1.', [['autocomplete', { partial: 'E1 6' }]]],
    ['e1-6a', '"e1-6a" is the beginning of postcodes of E1.', [['autocomplete', { partial: 'E1 6A' }]]],
    ['E1 7', 'No postcode in use begins like that. The nearest sector in use is E1 6', undefined],
    ['E161', '"E161" is only the beginning of one.', [['autocomplete', { partial: 'E161' }]]],
    ['E16', 'E16 is an outcode', undefined],
    ['EC1', 'EC1 stands for the outcodes EC1A, EC1M.', [['autocomplete', { partial: 'EC1' }]]],
    ['SO', '"SO" is a postcode area. The directory has its outcodes SO14, SO15:', undefined],
    ['co', '"co" is a postcode area. The directory has its outcodes CO1:', undefined],
    ['BT', '"BT" is a postcode area. The directory has its outcodes BT1:', undefined],
    ['M', '"M" is a postcode area. The directory has its outcodes M1: send one of them.', []],
    ['AB1', 'AB1 is an outcode, and all of its postcodes are terminated.', [['outcode', { outcode: 'AB1' }]]],
    ['M1I', 'There is no outcode M1I. The directory has M1 of the area M.', []],
    ['E9', 'There is no outcode E9. The directory has E1, E16 of the area E.', []],
    ['S1', 'No outcode begins with S.', []],
    ['11', '"11" has no letter', []],
    ['BFPO 57', '"BFPO 57" has the form of a British Forces (BFPO) address', []],
    ['K1A 0B1', '"K1A 0B1" has the form of a Canadian postal code', []],
    ['90210', 'a ZIP code of the United States', []],
    ['D02 X285', 'an Eircode, of Ireland', []],
    ['FIQQ 1ZZ', 'a British overseas territory', []],
    ['51.5, -0.14', 'is a point', [['nearest', { latitude: 51.5, longitude: -0.14 }]]],
    ['-0.14, 51.5', 'is a point', [['nearest', { latitude: 51.5, longitude: -0.14 }]]],
    ['54.5, -5.0', 'is a point, and the directory has no postcode within 2 km of it.', []],
    ['48.85, 2.35', 'of none in the UK', []],
    ['51.5, 999', 'of none in the UK', []],
    ['E09000033', 'is the code of an area', [['area', { code: 'E09000033' }]]],
    ['london', 'is the name of an area (region)', [['area', { kind: 'region', name: 'london' }]]],
    [
      '10 Downing Street, London SW1A 2AA',
      'The postcode in it is SW1A 2AA: send {"postcode": "SW1A 2AA"}',
      [],
    ],
    ['SW1A 2AA sw1a2aa', 'The postcode in it is SW1A 2AA: send {"postcode": "SW1A 2AA"}', []],
    ['SW1A 2AA or E1 6AN', 'In it are SW1A 2AA, E1 6AN: send one of them', []],
  ])('the hint about the text %j contains: %s', (text, words, requests) => {
    const hint = describe400(text) ?? '';
    expect(hint).toContain(words);
    if (requests !== undefined) expect(requestsIn(hint)).toEqual(requests);
  });

  test.each(['hello', '', 'SO 1', 'C0', 'Y0', 'SW1A 1AAA', 'x'.repeat(10_000)])(
    'the hint about a text that no repair makes valid (row %#), if any, has no repaired form and no request',
    (text) => {
      expect(describe400(text) ?? '').not.toMatch(/S0|CO|YO|POST/u);
    },
  );

  test.each(['E1 6', 'E1 7', 'E1 9A', 'EI 6', 'E16', 'AB1', 'EC1', 'SO', 'CO', 'E161', 'M1', 'SW1'])(
    'every completion that the hint about %s suggests finds a postcode, and the directory has every outcode that it suggests',
    (text) => {
      const requests = requestsIn(describe400(text) ?? '');
      expect(requests.length).toBeGreaterThan(0);
      for (const [path, fields] of requests) {
        const { partial, outcode } = Object(fields);
        const { from = 0, to = 0 } = directory.rowsOfOutcode(String(outcode)) ?? {};
        const found = path === 'autocomplete' ? directory.autocomplete(String(partial), 1).length : to - from;
        expect(found).toBeGreaterThan(0);
      }
    },
  );
});

test.each([
  [
    'E1 6ZZ',
    'The sector E1 6 exists. For its postcodes ask POST /api/postcode/autocomplete with {"partial": "E1 6"}',
  ],
  ['E1 9ZZ', 'E1 9 is not a sector in use. The nearest one is E1 8.'],
  ['EI 9ZZ', 'E1 9 is not a sector in use. The nearest one is E1 8.'],
  ['EC1 1AA', 'EC1 stands for the outcodes EC1A, EC1M.'],
  ['SO99 1AA', 'There is no outcode SO99. The directory has SO14, SO15 of the area SO.'],
  ['AB1 9ZZ', 'All postcodes of the outcode AB1 are terminated.'],
  ['ZZ9 9ZZ', 'No outcode begins with ZZ.'],
  ['K1A 0B1', 'It has the form of a Canadian postal code'],
  ['BF1 3AA', 'It has the form of a British Forces (BFPO) address'],
])('the hint about the unknown postcode %s contains: %s', (postcode, words) => {
  expect(describeMissing(directory, postcode)).toContain(words);
});

test('for a whole postcode in place of an outcode, suggests its outcode only if the directory has it', () => {
  expect(describeWholePostcode(directory, 'E16AN')).toContain(
    'E1 6AN is a whole one. Send {"outcode": "E1"}',
  );
  expect(describeWholePostcode(directory, 'E1 6ZZ')).toContain('Send {"outcode": "E1"}');
  expect(describeWholePostcode(directory, 'ZZ9 9ZZ')).toContain('No outcode begins with ZZ.');
  expect(describeWholePostcode(directory, 'K1A 0B1')).toBeUndefined();
  expect(describeWholePostcode(directory, 'hello')).toBeUndefined();
  expect(describeUnknownOutcode(directory, 'BF1', 'BF1')).toContain('British Forces');
});
