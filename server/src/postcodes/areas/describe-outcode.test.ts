import { outcodeRecord } from '@signpost/contract';
import fc from 'fast-check';
import { smallDirectory } from '../../../../test/fixtures/postcodes/small-directory.js';
import { PostcodeDirectory } from '../directory.js';

type Row = Parameters<typeof smallDirectory>[0][number];

const record = outcodeRecord.strict();

function outcodeIn(rows: readonly Row[], text: string) {
  const directory = new PostcodeDirectory(smallDirectory(rows));
  const found = directory.rowsOfOutcode(text);
  return found === undefined ? undefined : record.parse(directory.describeOutcode(found));
}

/** Generates degrees in steps of a millionth, the unit in which the directory stores them. */
const degrees = (min: number, max: number) =>
  fc.integer({ min: min * 1_000_000, max: max * 1_000_000 }).map((units) => units / 1_000_000);
const row = fc.record({
  postcode: fc
    .tuple(fc.constantFrom('M1', 'M11', 'SW1A', 'BT16'), fc.nat(9), fc.constantFrom('AA', 'AB', 'ZZ'))
    .map(([outcode, digit, unit]) => `${outcode} ${digit}${unit}`),
  isActive: fc.boolean(),
  at: fc.option(fc.tuple(degrees(49, 61), degrees(-8, 2)), { nil: undefined }),
  grid: fc.option(fc.tuple(fc.nat(700_000), fc.nat(1_300_000)), { nil: undefined }),
  names: fc.record({ ward: fc.constantFrom('A', 'B', 'C'), country: fc.constant('Here') }),
});

const rowsOf = fc.uniqueArray(
  row.map(({ at, grid, ...others }) => ({
    ...others,
    ...(at === undefined ? {} : { at }),
    ...(grid === undefined ? {} : { grid }),
  })),
  { selector: ({ postcode }) => postcode, maxLength: 60 },
);

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

test("an outcode's position, counts and areas come from its own rows only", () => {
  fc.assert(
    fc.property(rowsOf, fc.constantFrom('M1', 'M11', 'SW1A', 'BT16'), (rows, outcode) => {
      const own = rows.filter(({ postcode }) => postcode.startsWith(`${outcode} `));
      const active = own.filter(({ isActive }) => isActive);
      const found = outcodeIn(rows, outcode);
      const latitude = meanOf(active.flatMap(({ at }) => (at === undefined ? [] : [at[0]])));
      const longitude = meanOf(active.flatMap(({ at }) => (at === undefined ? [] : [at[1]])));
      const easting = meanOf(active.flatMap(({ grid }) => (grid === undefined ? [] : [grid[0]])));
      const northing = meanOf(active.flatMap(({ grid }) => (grid === undefined ? [] : [grid[1]])));
      expect(found).toMatchObject({
        outcode,
        activePostcodes: active.length,
        terminatedPostcodes: own.length - active.length,
        latitude: latitude === null ? null : expect.closeTo(latitude, 5),
        longitude: longitude === null ? null : expect.closeTo(longitude, 5),
        easting: easting === null ? null : Math.round(easting),
        northing: northing === null ? null : Math.round(northing),
        wards: [...new Set(active.map(({ names }) => names.ward))].toSorted(),
        countries: active.length === 0 ? [] : ['Here'],
        regions: [],
      });
    }),
    { numRuns: 200 },
  );
});

describe('an outcode as people write it', () => {
  const rows = [
    { postcode: 'SW1A 1AA' },
    { postcode: 'E10 1AA' },
    { postcode: 'GIR 0AA', isActive: false },
    { postcode: 'EC1A 1AA' },
  ];

  test.each([
    [' sw 1a.', 'SW1A'],
    ['SWIA', 'SW1A'],
    ['e1o', 'E10'],
    ['El0', 'E10'],
    ['G1R', 'GIR'],
  ])('the text %j means the outcode %s', (text, outcode) => {
    expect(outcodeIn(rows, text)).toMatchObject({ outcode, activePostcodes: outcode === 'GIR' ? 0 : 1 });
  });

  test('an outcode that does not exist has no active postcodes, and a text that cannot be an outcode gives undefined', () => {
    expect(outcodeIn(rows, 'zz9')).toMatchObject({ outcode: 'ZZ9', activePostcodes: 0, latitude: null });
    for (const text of ['', 'SW', 'SW1A 1', 'SW1A 1AA', 'hello', 'EC1A/1AA'])
      expect(outcodeIn(rows, text)).toBeUndefined();
  });
});
