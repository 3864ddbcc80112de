import { pageCount, readPaging, shownRange } from './paging.js';

describe('readPaging', () => {
  test('a page number selects the items of that page', () => {
    expect(readPaging('1', 50)).toEqual({ page: 1, offset: 0, limit: 50 });
    expect(readPaging('3', 50)).toEqual({ page: 3, offset: 100, limit: 50 });
  });

  test.each(['', '0', '-1', '1.5', '2e3', 'two', ' 2', '99999999999999999999'])(
    'the text %j is not a page number and selects the first page',
    (text) => {
      expect(readPaging(text, 50).page).toBe(1);
    },
  );
});

test.each([
  [0, 1],
  [1, 1],
  [50, 1],
  [51, 2],
  [101, 3],
])('%i items need %i pages of 50', (total, pages) => {
  expect(pageCount(total, { limit: 50 })).toBe(pages);
});

test.each([
  ['1', 0, { first: 0, last: 0 }],
  ['1', 7, { first: 1, last: 7 }],
  ['1', 120, { first: 1, last: 50 }],
  ['3', 120, { first: 101, last: 120 }],
])('page %s of a list of %i items says which items it shows', (page, total, range) => {
  expect(shownRange(readPaging(page, 50), total)).toEqual(range);
});
