import { lastPagePath, readList } from './list.js';

const SHAPE = {
  path: '/things',
  sorts: [
    { by: 'name', isDescending: false },
    { by: 'used', isDescending: true },
  ],
  filters: ['search'],
  perPage: 10,
} as const;

const listOf = (query: Readonly<Record<string, string>>) => readList(query, SHAPE);

test.each([
  ['', { by: 'name', isDescending: false }],
  ['used', { by: 'used', isDescending: false }],
  ['-used', { by: 'used', isDescending: true }],
  ['-name', { by: 'name', isDescending: true }],
  ['password_hash', { by: 'name', isDescending: false }],
  ['-used; DROP TABLE accounts', { by: 'name', isDescending: false }],
])('the sort %j in an address is used only if it names a column of the list', (sort, expected) => {
  expect(listOf({ sort }).sort).toEqual(expected);
});

test('a link to another page keeps order and filters; a link to another order starts at the first page', () => {
  const list = listOf({ sort: '-used', search: ' a b ', page: '3' });
  expect(list.paging).toEqual({ page: 3, offset: 20, limit: 10 });
  expect(list.pagePath(4)).toBe('/things?search=a+b&sort=-used&page=4');
  expect(list.pagePath(1)).toBe('/things?search=a+b&sort=-used');
  expect(list.sortedPath({ by: 'name', isDescending: false })).toBe('/things?search=a+b&sort=name');
});

test('the address of the first page of an unfiltered list in its default order is its path without a query', () => {
  const list = listOf({});
  expect([list.isFiltered, list.pagePath(1)]).toEqual([false, '/things']);
});

test('for a page after the last one, the path of the last page is returned, otherwise undefined', () => {
  expect(lastPagePath(listOf({ page: '9', sort: 'used' }), 11)).toBe('/things?sort=used&page=2');
  expect(lastPagePath(listOf({ page: '2' }), 11)).toBeUndefined();
  expect(lastPagePath(listOf({ page: '2' }), 0)).toBe('/things');
});
