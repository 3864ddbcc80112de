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

test('gives each text a fair share of 20 passages, in the order of the page', () => {
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

test('finds nothing for a text that consists only of marks', () => {
  expect(findPassages('**a** `b`', ['**'])).toEqual([]);
});
