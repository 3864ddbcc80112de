import { findInDocuments, readSections } from './find-in-documents.js';

const section = (heading: string, text = '') => ({ id: heading.toLowerCase(), heading, text });
const documents = readSections(
  JSON.stringify([
    { path: 'text', sections: [section('Monitor', 'A backup is made each night.')] },
    { path: 'heading', sections: [section('Remove'), section('The last backup', 'Keep it. 100 % (all).')] },
    {
      path: 'title',
      sections: [section('Backup and restore', 'Two commands.'), section('Secrets', 'Keep it.')],
    },
    { path: 'long', sections: [section('Long', `${'word '.repeat(100)}needle ${'word '.repeat(100)}`)] },
    { path: 'no-space', sections: [section('Address', `See ${'x'.repeat(200)}eyelet and more`)] },
    ...Array.from({ length: 30 }, (_, index) => ({ path: `many-${index}`, sections: [section('Many')] })),
  ]),
);
const pathsOf = (query: string) => findInDocuments(documents, query).map(({ path }) => path);

test('a match in a title comes before one in a heading, and one in a heading before one in a text', () => {
  expect(pathsOf('BACKUP')).toEqual(['title', 'heading', 'text']);
});

test('a document is found only if its sections together have every word of the query longer than a character', () => {
  expect(pathsOf('restore secrets')).toEqual(['title']);
  expect(pathsOf('restore night')).toEqual([]);
  expect(pathsOf('  ')).toEqual([]);
  expect(pathsOf('x restore')).toEqual(['title']);
});

test('a result is the section that fits best, with an excerpt that is divided at the words of the query', () => {
  expect(findInDocuments(documents, 'last backup keep')).toEqual([
    {
      path: 'heading',
      title: 'Remove',
      heading: 'The last backup',
      id: 'the last backup',
      excerpt: ['', 'Keep', ' it. 100 % (all).'],
    },
  ]);
});

test('the excerpt of a long text has fewer than 260 characters, and the word of the query', () => {
  const [found] = findInDocuments(documents, 'needle');
  expect(found?.excerpt[1]).toBe('needle');
  expect(found?.excerpt.join('').length).toBeLessThan(260);
  expect(found?.excerpt.join('')).toMatch(/^… word.*word.* …$/u);
});

test('the excerpt has the word of the query if the 80 characters before the word have no space', () => {
  const [found] = findInDocuments(documents, 'eyelet');
  expect(found?.excerpt).toEqual(['… ', 'eyelet', ' and more']);
});

test.each(['(all)', '100 %', '[', '.*', '\\', '\u0000'])(
  'the characters of the query %j have no special meaning',
  (query) => {
    expect(pathsOf(query)).toEqual(['(all)', '100 %'].includes(query) ? ['heading'] : []);
  },
);

test('a query of many thousand characters is searched', () => {
  expect(pathsOf('a'.repeat(10_000))).toEqual([]);
  expect(pathsOf('backup '.repeat(10_000))).toEqual(['title', 'heading', 'text']);
});

test('a search finds at most 15 documents', () => {
  expect(pathsOf('many')).toHaveLength(15);
});
