import fc from 'fast-check';
import { keysInText } from './find-in-text.js';
import { keyOfText, postcodeOfKey } from './normalise-postcode.js';
import { NO_KEY } from './postcode-key.js';

/** The found texts, as written. */
const foundIn = (text: string) => keysInText(text).map(({ start, end }) => text.slice(start, end));

const letter = fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ'));
const digit = fc.constantFrom(...Array.from('0123456789'));
const either = fc.oneof(letter, digit);
const outcode = fc
  .oneof(
    fc.tuple(letter, digit),
    fc.tuple(letter, digit, either),
    fc.tuple(letter, letter, digit),
    fc.tuple(letter, letter, digit, either),
    fc.constantFrom(['NPT'], ['GIR']),
  )
  .map((characters) => characters.join(''));
const incode = fc.tuple(digit, letter, letter).map((characters) => characters.join(''));
const gap = fc
  .array(fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u2003', '-', '‑', '–', '−'), { maxLength: 4 })
  .map((characters) => characters.join(''));
/** Separators: a postcode beside them is not part of a longer word. */
const aside = fc
  .array(fc.constantFrom(' ', '.', ',', '(', ')', '"', '’', '/', '_', '=', '📍', '\u200b', '\ufe0f', '\n'), {
    maxLength: 5,
  })
  .map((characters) => characters.join(''));

test('finds everything in the form of a postcode at its position, in any case, with any gap', () => {
  const one = fc.tuple(aside, outcode, gap, incode, fc.boolean(), fc.constantFrom(',', ';', '📮'));
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), (all) => {
      let text = '';
      const expected = all.map(([before, outward, between, inward, isLower, after]) => {
        const written = `${outward}${between}${inward}`;
        const start = text.length + before.length;
        text += before + (isLower ? written.toLowerCase() : written) + after;
        return { key: keyOfText(outward + inward), start, end: start + written.length };
      });
      expect(keysInText(text)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('everything found in any text has the form of a postcode, in order, without overlaps', () => {
  const piece = fc.oneof(
    outcode,
    incode,
    gap,
    aside,
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom('é', 'A', '1', 'e\u0301'),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      (text) => {
        let end = 0;
        for (const match of keysInText(text)) {
          expect(match.start).toBeGreaterThanOrEqual(end);
          end = match.end;
          const written = text.slice(match.start, end);
          expect(keyOfText(written.replace(/[\s\p{Dash}]/gu, ''))).toBe(match.key);
          expect(written).toMatch(/^[A-Z\d]+[\s\p{Dash}]*[A-Z\d]{3}$/iu);
          expect(text.slice(0, match.start)).not.toMatch(/[\p{L}\p{N}]\p{M}*$/u);
          expect(text.slice(end)).not.toMatch(/^[\p{L}\p{N}\p{M}]/u);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  ['From SW1A 1AA to eh99-1sp.', ['SW1A 1AA', 'eh99-1sp']],
  ['M1 1AE,M11AE;m1\n1ae', ['M1 1AE', 'M11AE', 'm1\n1ae']],
  ['👋🏽SW1A 1AA👋🏽', ['SW1A 1AA']],
  ['?postcode=SW1A1AA&x=plan_M1-1AE.pdf', ['SW1A1AA', 'M1-1AE']],
  ['AB1 2CD 3EF', ['AB1 2CD']],
  ['A SW1A 1AA', ['SW1A 1AA']],
  ['SW1A - 1AA', ['SW1A - 1AA']],
  ['GIR 0AA, NPT 0AD', ['GIR 0AA', 'NPT 0AD']],
])('in %j is %j', (text, expected) => {
  expect(foundIn(text)).toEqual(expected);
});

test.each([
  'XSW1A 1AAB',
  'SW1A 1AAB',
  'XYSW1A 1AA',
  'SW1A 1AA9',
  'éSW1A 1AA',
  'e\u0301SW1A 1AA',
  'SW1A 1AAé',
  'SW1A 1AA\u0301',
  'SW1A 1ÁA',
  '𝐀SW1A 1AA',
  'ＳW1A 1AA',
  'SW1A.1AA',
  'SW1A, 1AA',
  'SW1A\u200b1AA',
  'SW1A 1 AA',
  'M11 AE',
  'S W1A 1AA1',
  'SW1A OAA',
  'LIONS',
  'SW1A',
  '1AA',
  '',
])('finds nothing in %j', (text) => {
  expect(foundIn(text)).toEqual([]);
});

test('a key can be converted back to the postcode in the text', () => {
  const [found] = keysInText('(eh99–1sp)');
  expect(found).toMatchObject({ start: 1, end: 9 });
  expect(postcodeOfKey(found?.key ?? NO_KEY)).toBe('EH99 1SP');
});

/** Counts how often the characters of a text are read, instead of measuring time. */
test.each([
  ['words', 'A1 '],
  ['outcodes before long gaps', `A1${' '.repeat(99)}`],
  ['gaps alone', ' '],
  ['letters alone', 'A'],
  ['halves', 'SW1A 1A '],
  ['postcodes', 'M1 1AE '],
  ['marks', 'M1 1AE\u0301 '],
  ['marks alone', '\u0301'],
])('reads a long text of %s only a few times', (_name, unit) => {
  const text = unit.repeat(Math.ceil(10_000 / unit.length)).slice(0, 10_000);
  const at = jest.spyOn(String.prototype, 'charCodeAt');
  const tests = jest.spyOn(RegExp.prototype, 'test');
  keysInText(text);
  const calls = [at.mock.calls.length, tests.mock.calls.length];
  at.mockRestore();
  tests.mockRestore();
  expect(calls[0]).toBeLessThan(8 * text.length);
  expect(calls[1]).toBeLessThan(text.length);
});
