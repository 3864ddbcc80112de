import { smallDirectory } from '../../../../test/fixtures/postcodes/small-directory.js';
import type { NameColumn } from '../table/directory-data.js';
import { areasOfName } from './find-areas.js';
import { suggestAreas } from './suggest-areas.js';

const NAMES: readonly (readonly [NameColumn, string])[] = [
  ['localAuthority', 'Bristol, City of'],
  ['localAuthority', 'Westmorland and Furness'],
  ['localAuthority', 'St. Helens'],
  ['localAuthority', "King's Lynn and West Norfolk"],
  ['localAuthority', 'Birmingham'],
  ['constituency', 'Ynys Môn'],
  ['region', 'London'],
  ['icb', 'NHS Bristol, North Somerset and South Gloucestershire Integrated Care Board'],
  ['icb', 'NHS Kent and Medway Integrated Care Board'],
  ['policeForce', 'Metropolitan Police'],
  ['lsoa', 'Larbert - Inches  - 05'],
];
const table = smallDirectory(
  NAMES.map(([kind, name], index) => ({ postcode: `M${index} 1AA`, names: { [kind]: name } })),
);
const first = (kind: NameColumn, name: string) => suggestAreas(table, kind, name)[0]?.name;

test.each([
  ['localAuthority', 'Bristol', 'Bristol, City of'],
  ['localAuthority', 'City of Bristol', 'Bristol, City of'],
  ['localAuthority', 'Westmorland & Furness', 'Westmorland and Furness'],
  ['localAuthority', 'St Helens', 'St. Helens'],
  ['localAuthority', 'Saint Helens', 'St. Helens'],
  ['localAuthority', 'Kings Lynn and West Norfolk', "King's Lynn and West Norfolk"],
  ['localAuthority', 'Brimingham', 'Birmingham'],
  ['localAuthority', 'Birminghm', 'Birmingham'],
  ['constituency', 'Ynys Mon', 'Ynys Môn'],
  ['icb', 'Kent and Medway', 'NHS Kent and Medway Integrated Care Board'],
  ['icb', 'NHS Kent & Medway ICB', 'NHS Kent and Medway Integrated Care Board'],
  ['policeForce', 'Metropolitan', 'Metropolitan Police'],
  ['country', 'London', 'London'],
  ['country', '???', undefined],
  ['country', 'Narnia', undefined],
] as const)('the first suggestion for the %s %j is %j', (kind, name, suggested) => {
  expect(first(kind, name)).toBe(suggested);
});

test('suggests at most five areas; a suggestion has a kind, a code and a name', () => {
  const wards = Array.from({ length: 9 }, (_, index) => ({
    postcode: `M${index} 1AA`,
    names: { ward: `Abbey ${index}` },
  }));
  const suggested = suggestAreas(smallDirectory(wards), 'ward', 'abbey');
  const names = ['Abbey 0', 'Abbey 1', 'Abbey 2', 'Abbey 3', 'Abbey 4'];
  expect(suggested).toEqual(names.map((name) => ({ kind: 'ward', code: name, name })));
});

test('suggests the right area for a name misspelt in its first letters, even among thousands of names', () => {
  const ward = [...Array.from({ length: 6_000 }, (_, index) => `Ward ${index}`), 'Moseley', 'Birmingham'];
  const many = { values: { ...table.values, ward }, areaCodes: undefined };
  const likely = (name: string) => suggestAreas(many, 'ward', name).filter(({ kind }) => kind === 'ward');
  expect(likely('Miseley')).toMatchObject([{ name: 'Moseley' }]);
  expect(likely('Brimingham')).toMatchObject([{ name: 'Birmingham' }]);
});

test('finds an area whose name has two spaces together, whether it is typed with two or with one', () => {
  for (const name of ['Larbert - Inches  - 05', 'larbert - inches - 05'])
    expect(areasOfName(table, 'lsoa', name)).toMatchObject([{ name: 'Larbert - Inches  - 05' }]);
});
