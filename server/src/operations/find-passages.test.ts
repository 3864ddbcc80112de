import { findPassages } from './find-passages.js';

const FILLER = 'word '.repeat(200);

test('finds a text regardless of case, accents, white space and Markdown emphasis', () => {
  const content = `${FILLER}**Öffnungs­zeiten** am\nMontag: 9 bis 17 Uhr. ${FILLER}`;
  const [passage, ...others] = findPassages(content, ['offnungszeiten AM montag']);
  expect(others).toEqual([]);
  expect(content.slice(passage?.offset)).toMatch(/^Öffnungs/u);
  expect(passage?.passage).toContain('9 bis 17 Uhr');
  expect(passage?.passage).toHaveLength(300);
});

test.each([
  ['a link', 'See [the *old* archive](https://a.example/x_1) now.', 'the old archive now', 'the *old*'],
  ['a word that is partly a link', 'co[operative](https://a.example/)s', 'cooperatives', 'co['],
  ['an image', 'Map ![of the town](https://a.example/) here', 'map of the town here', 'Map'],
  ['cells', '| Soup | 5.50 |\n| --- | --- |\n| Stew | 12.00 |', 'soup 5.50 stew 12.00', 'Soup'],
  ['cells in HTML', '<tr><td>Tom &amp; Co</td><td>7</td></tr>', 'tom & co 7', 'Tom'],
  ['items and headings', '## Fees\n\n- Dog\n- Cat\n\n> quoted', 'fees dog cat quoted', 'Fees'],
  ['raised numbers', '10<sup>3</sup> m', '103 m', '10'],
  ['typographic signs', 'Don’t pay – “ever”', `don't pay - "ever"`, 'Don’t'],
  ['a sign for inches', 'A 27″ screen', '27" screen', '27″'],
  ['letters with a stroke', 'Łódź, Straße, Ærø', 'lodz, strasse, aero', 'Łódź'],
  ['escaped signs', 'fees \\[2026\\] \\| a\\_b', 'fees [2026] | a_b', 'fees'],
  ['it only in an address', 'See [this](https://a.example/price-list).', 'a.example/price-list', 'a.example'],
  ['code', 'arr[0] = <b>1', 'arr[0] = <b>1', 'arr'],
])('finds a text if the content has %s', (_what, content, findText, start) => {
  const [passage] = findPassages(content, [findText]);
  expect(passage).toMatchObject({ findText, offset: content.indexOf(start) });
});

test('returns at most 20 passages, in the order of the page, among them all three of the rarer text', () => {
  const content = `fee ${FILLER}`.repeat(50) + `refund ${FILLER}`.repeat(3);
  const passages = findPassages(content, ['fee', 'refund', 'nowhere']);
  expect(passages).toHaveLength(20);
  expect(passages.filter(({ findText }) => findText === 'refund')).toHaveLength(3);
  expect(passages.map(({ offset }) => offset)).toEqual(
    passages.map(({ offset }) => offset).toSorted((a, b) => a - b),
  );
});

test('matches that are close together share a passage, and no character is split', () => {
  expect(findPassages('fee fee fee', ['fee'])).toEqual([
    { findText: 'fee', offset: 0, passage: 'fee fee fee' },
  ]);
  const [found] = findPassages(`${'😀'.repeat(400)}a fee${'😀'.repeat(400)}`, ['a fee']);
  expect(found?.passage).not.toMatch(/\p{Surrogate}/u);
});

test('finds nothing for a text that consists only of Markdown marks', () => {
  expect(findPassages('**a** `b`', ['**'])).toEqual([]);
});
