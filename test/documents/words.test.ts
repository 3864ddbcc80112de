import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pages, proseOf, read, root } from './documents.js';

/** Spellings and phrases that the glossary rules out, or that readers do not understand at once. */
const WRONG = [
  // Allowed in a path, because the name of an existing file cannot be spelled differently.
  /(?<!\/)\blook-ups?\b/iu,
  /\bin the console or so\b/iu,
  /\bends that\b/iu,
  /\btakes? (?:that|it) back\b/iu,
  /\bwho runs it\b/iu,
  /\bwhoever\b/iu,
  /\bis none of\b/iu,
  /\bthe one before\b/iu,
  /\bthose of before\b/iu,
  /\bwords were wrong\b/iu,
];

/** Phrases that are plain enough for comments, but not for documents. */
const WRONG_IN_PROSE = [...WRONG, /\bis no \w+ of\b/iu];

const sources = ['contract/src', 'credentials', 'mcp/src', 'nodes', 'scripts', 'server/browser', 'server/src']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => /(?<!\.test)\.(?:mjs|tsx?)$/u.test(path));

const linesWith = (wrong: readonly RegExp[], text: string) =>
  text.split('\n').filter((line) => wrong.some((each) => each.test(line)));

/** The changelog. Its entries are dated and stay as they were written. */
const DATED = 'CHANGELOG.md';

test.each(pages.filter((page) => page !== DATED))(
  'the page %s contains none of the phrases that are ruled out for documents',
  (page) => {
    expect(linesWith(WRONG_IN_PROSE, proseOf(page))).toEqual([]);
  },
);

test('the code contains none of the phrases that are ruled out for it', () => {
  expect(sources.length).toBeGreaterThan(500);
  const lines = sources.flatMap((path) => linesWith(WRONG, read(path)).map((line) => `${path}: ${line}`));
  expect(lines).toEqual([]);
});

test('the glossary defines words that are easily confused, in alphabetical order', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\| \*\*(.+?)\*\*/gmu)].map(([, word]) => word);
  expect(words).toEqual(
    expect.arrayContaining(['account', 'capture', 'directory', 'key', 'look up', 'lookup']),
  );
  expect(words).toEqual(words.toSorted((one = '', other = '') => one.localeCompare(other)));
});
