import fc from 'fast-check';
import { keysInText } from './find-in-text.js';
import { keyOfText, postcodeOfKey } from './normalise-postcode.js';
import { NO_KEY } from './postcode-key.js';

/** The postcodes found in a text, as they are written there. */
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
/** The letters that occur in inward codes. */
const inwardLetter = fc.constantFrom(...Array.from('ABDEFGHJLNPQRSTUWXYZ'));
const incode = fc.tuple(digit, inwardLetter, inwardLetter).map((characters) => characters.join(''));
const blank = fc
  .array(fc.constantFrom(' ', '\t', '\u00a0', '\u2003', '-', '‑', '–', '−', '\u200b', '\u2060', '\ufeff'), {
    maxLength: 3,
  })
  .map((characters) => characters.join(''));
/** What may be between the two halves of a postcode: at most one line break. */
const gap = fc
  .tuple(blank, fc.constantFrom('', '\n', '\r\n'), blank)
  .map((characters) => characters.join(''));
/** Text that may be directly beside a postcode, because it is not part of a word. */
const aside = fc
  .array(fc.constantFrom(' ', '.', ',', '(', ')', '"', '’', '/', '_', '=', '📍', '\u200b', '\ufe0f', '\n'), {
    maxLength: 5,
  })
  .map((characters) => characters.join(''));

test('finds every text in the form of a postcode at its position, in capitals or small letters, with any gap between its halves', () => {
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

test('finds postcodes in full-width letters and digits at their positions', () => {
  expect(foundIn('（ＳＷ１Ａ　１ＡＡ）、 ｅｈ９９１ｓｐ。')).toEqual(['ＳＷ１Ａ　１ＡＡ', 'ｅｈ９９１ｓｐ']);
  expect(foundIn('ＳW1A 1AA')).toEqual(['ＳW1A 1AA']);
  expect(foundIn('ＸＳＷ１Ａ１ＡＡ')).toEqual([]);
});

test('the matches in any text have the form of a postcode, are in order and do not overlap', () => {
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
          expect(keyOfText(written.replace(/[^a-z\d]/giu, ''))).toBe(match.key);
          expect(written).toMatch(
            /^[A-Z\d\p{Cf}]+[\s\p{Dash}\p{Cf}\p{Default_Ignorable_Code_Point}_+]*[A-Z\d\p{Cf}]{3,}$/iu,
          );
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
  ['AB1 2ED 3EF', ['AB1 2ED']],
  ['SW1A\u200b1AA', ['SW1A\u200b1AA']],
  ['S\u00adW1A 1\u2060AA', ['S\u00adW1A 1\u2060AA']],
  ['London\u200bSW1A 1AA\u200bEngland', ['SW1A 1AA']],
  ['SW1A\r\n1AA', ['SW1A\r\n1AA']],
  ['A SW1A 1AA', ['SW1A 1AA']],
  ['SW1A - 1AA', ['SW1A - 1AA']],
  ['GIR 0AA, NPT 0AD', ['GIR 0AA', 'NPT 0AD']],
])('in the text %j, finds %j', (text, expected) => {
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
  'SW1A.1AA',
  'SW1A, 1AA',
  'M25 3PM',
  'AB1 2CD',
  'SW1A\n\n1AA',
  'SW1A\r\n \r\n1AA',
  'SW1A\u20291AA',
  'SW1A\f1AA',
  'SW1A 1 AA',
  'M11 AE',
  'S W1A 1AA1',
  'SW1A OAA',
  'LIONS',
  'SW1A',
  '1AA',
  '',
])('finds no postcode in the text %j', (text) => {
  expect(foundIn(text)).toEqual([]);
});

test.each([
  ['https://maps.example/?q=SW1A+1AA&z=9', ['SW1A+1AA']],
  ['https://maps.example/London%20SW1A%201AA%2C%20UK%C2%A0M1%C2%A01AE', ['SW1A%201AA', 'M1%C2%A01AE']],
  [
    '<td>SW1A&nbsp;1AA</td><td>M1&#160;1AE</td><td>EC1A&#xA0;1BB</td>',
    ['SW1A&nbsp;1AA', 'M1&#160;1AE', 'EC1A&#xA0;1BB'],
  ],
  ['SW1A_1AA.pdf', ['SW1A_1AA']],
  ['%AB1 2AD', ['AB1 2AD']],
  ['100%20SW1A%201AA4', []],
])('a space may be written as URLs, HTML and file names do: %s', (text, found) => {
  expect(foundIn(text)).toEqual(found);
});

test('a key can be converted back to the postcode in the text', () => {
  const [found] = keysInText('(eh99–1sp)');
  expect(found).toMatchObject({ start: 1, end: 9 });
  expect(postcodeOfKey(found?.key ?? NO_KEY)).toBe('EH99 1SP');
});

describe('typing errors', () => {
  const real = ['E16 1AN', 'SW1A 0AA', 'E10 5AB', 'OX1 1AA'].map((text) => keyOfText(text));
  const found = (text: string) =>
    keysInText(text, (key) => real.includes(key)).map(({ key }) => postcodeOfKey(key));

  test.each([
    ['EI6 1AN', ['E16 1AN']],
    ['e1o5ab', ['E10 5AB']],
    ['E1O 5AB', ['E10 5AB']],
    ['0X1-1AA', ['OX1 1AA']],
    ['EI6 2AN', ['EI6 2AN']],
    ['SWIA 0AA', []],
    ['SW1A OAA', []],
    ['LIONS', []],
    ['E1O 6AB', ['E1O 6AB']],
  ])(
    'in the text %j, repairs a typing error only to a known postcode, and only if both halves have a digit, so it finds %j',
    (text, postcodes) => {
      expect(found(text)).toEqual(postcodes);
    },
  );
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
])(
  'calls charCodeAt fewer than 8 times per character of a long text of %s, and patterns less than once',
  (_name, unit) => {
    const text = unit.repeat(Math.ceil(10_000 / unit.length)).slice(0, 10_000);
    const at = jest.spyOn(String.prototype, 'charCodeAt');
    const tests = jest.spyOn(RegExp.prototype, 'test');
    keysInText(text);
    const calls = [at.mock.calls.length, tests.mock.calls.length];
    at.mockRestore();
    tests.mockRestore();
    expect(calls[0]).toBeLessThan(8 * text.length);
    expect(calls[1]).toBeLessThan(text.length);
  },
);
