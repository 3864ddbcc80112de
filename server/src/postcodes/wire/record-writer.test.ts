import { lookupPostcodesResponse, postcodeRecord } from '@signpost/contract';
import fc from 'fast-check';
import { NAME_COLUMNS } from '../table/directory-data.js';
import { parsedDirectory } from '../../../../test/fixtures/postcodes/parsed-directory.js';
import { smallDirectory } from '../../../../test/fixtures/postcodes/small-directory.js';
import { CurrentRecordWriter, RecordWriter } from './record-writer.js';

const POSTCODE = 'SW1A 0AA';
/** The record of a postcode with these names, parsed from the response to a bulk lookup. */
const written = (names: Record<string, string>) =>
  parsedDirectory(smallDirectory([{ postcode: POSTCODE, names }])).lookupAll([POSTCODE]).results[0];

test('a record has the fields of the contract, in the same order', () => {
  const table = smallDirectory([{ postcode: POSTCODE, at: [51.49984, -0.12463] }]);
  const bytes = new RecordWriter(table).lookups([0], [], ['history', 'areas', 'codes']);
  const [result] = lookupPostcodesResponse.parse(JSON.parse(bytes.toString())).results;
  expect(Object.keys(result ?? {})).toEqual([...Object.keys(postcodeRecord.shape), 'index']);
});

test("a record of another directory is written by that directory's own writer", () => {
  const current = new CurrentRecordWriter();
  const [one, other] = ['One', 'Other'].map((ward) =>
    smallDirectory([{ postcode: POSTCODE, names: { ward } }]),
  );
  if (one === undefined || other === undefined) throw new Error('There are two directories.');
  const wardIn = (table: typeof one) =>
    lookupPostcodesResponse.parse(JSON.parse(current.of(table).lookups([0], []).toString())).results[0]?.ward;
  expect([one, other, one].map(wardIn)).toEqual(['One', 'Other', 'One']);
  expect(current.of(one)).toBe(current.of(one));
});

test.each(['St John\'s "Old" Town', 'Ynys Môn', 'Tŷ Gwyn \\ 4\u0007', 'Baile Átha 🦜', 'ÿð'.repeat(9)])(
  'the name %j is quoted as in JSON',
  (name) => {
    expect(written({ ward: name })).toMatchObject({ ward: name, region: null });
    expect(written({ lsoa: name })).toMatchObject({ lsoa: name, msoa: null });
  },
);

const incode = (index: number) => `${index % 10}A${'ABDEFGHJLN'.charAt(Math.trunc(index / 10))}`;

test('a bulk lookup returns rows with any combination of names and nulls unchanged', () => {
  const name = fc.option(fc.constantFrom('One', 'Two', 'Three', 'Four'), { nil: undefined });
  const names = fc.record(Object.fromEntries(NAME_COLUMNS.map((column) => [column, name])));
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 60 }), (all) => {
      const rows = all.map((one, index) => ({
        postcode: `SW1 ${incode(index)}`,
        isActive: index % 3 > 0,
        at: [50 + index / 1_000, -index / 7] as const,
        grid: [index * 1_001, 1_300_000 - index] as const,
        names: Object.fromEntries(Object.entries(one).filter(([, text]) => text !== undefined)),
      }));
      const directory = parsedDirectory(smallDirectory(rows));
      const { results } = directory.lookupAll(rows.map(({ postcode }) => postcode));
      expect(results).toEqual(
        rows.map(({ postcode, isActive, at: [latitude, longitude], grid: [easting, northing] }, index) => ({
          postcode,
          outcode: 'SW1',
          incode: postcode.slice(4),
          latitude: Math.round(latitude * 1e6) / 1e6,
          longitude: Math.round(longitude * 1e6) / 1e6 + 0,
          easting,
          northing,
          ...Object.fromEntries(NAME_COLUMNS.map((column) => [column, all[index]?.[column] ?? null])),
          isActive,
          index,
        })),
      );
    }),
    { numRuns: 100 },
  );
});

test('a column with very many names keeps every one', () => {
  const rows = Array.from({ length: 6_760 }, (_, index) => ({
    postcode: `N1 ${Math.trunc(index / 676)}${String.fromCharCode(65 + (Math.trunc(index / 26) % 26), 65 + (index % 26))}`,
    names: {
      ward: `Ward ${index}`,
      lsoa: `Area ${index % 5_000}`,
      policeForce: `Force ${index % 90}`,
      icb: `Board ${index % 97}`,
    },
  }));
  const directory = parsedDirectory(smallDirectory(rows));
  const { results } = directory.lookupAll(rows.map(({ postcode }) => postcode));
  expect(results).toMatchObject(rows.map(({ postcode, names }) => ({ postcode, ...names })));
});
