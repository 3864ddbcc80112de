import { pages, proseOf, read } from './documents.js';

/** Spellings and turns of phrase that the glossary, or a reader who understands at once, rules out. */
const WRONG = [
  /\blook-ups?\b/iu,
  /\bin the console or so\b/iu,
  /\bends that\b/iu,
  /\btakes? (?:that|it) back\b/iu,
  /\bwho runs it\b/iu,
  /\bwhoever\b/iu,
  /\bis (?:none|no \w+) of\b/iu,
  /\bthe one before\b/iu,
  /\bthose of before\b/iu,
  /\bwords were wrong\b/iu,
];

/** Its entries are dated: they stay as they were written. */
const DATED = 'CHANGELOG.md';

test.each(pages.filter((page) => page !== DATED))('%s has no words that a reader must decode', (page) => {
  const lines = proseOf(page).split('\n');
  expect(lines.filter((line) => WRONG.some((wrong) => wrong.test(line)))).toEqual([]);
});

test('the glossary fixes the words that are easily confused', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\| \*\*(.+?)\*\*/gmu)].map(([, word]) => word);
  expect(words).toEqual(
    expect.arrayContaining(['account', 'capture', 'directory', 'key', 'look up', 'lookup']),
  );
  expect(words).toEqual(words.toSorted((one = '', other = '') => one.localeCompare(other)));
});
