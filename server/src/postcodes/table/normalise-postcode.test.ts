import fc from 'fast-check';
import { cleanPostcode } from '@signpost/contract';
import {
  beginningsOfText,
  firstRepairedReading,
  keyOfText,
  possibleKeys,
  outcodeWithin,
  postcodeOfKey,
} from './normalise-postcode.js';
import { NO_KEY, outcodeText } from './postcode-key.js';

/** The canonical form of a postcode; undefined if the text is not one. */
const normalisePostcode = (text: string) => {
  const key = keyOfText(text);
  return key === NO_KEY ? undefined : postcodeOfKey(key);
};

const letter = fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ'));
const digit = fc.constantFrom(...Array.from('0123456789'));
const either = fc.oneof(letter, digit);
const outcode = fc.oneof(
  fc.tuple(letter, digit),
  fc.tuple(letter, digit, either),
  fc.tuple(letter, letter, digit),
  fc.tuple(letter, letter, digit, either),
  fc.constantFrom(['NPT'], ['GIR']),
);
const postcode = fc
  .tuple(outcode, digit, letter, letter)
  .map(([outward, ...inward]) => `${outward.join('')} ${inward.join('')}`);

describe('the form of a postcode', () => {
  test.each([
    ['sw1a1aa', 'SW1A 1AA'],
    ['  Sw1A\t 1a\u00a0A\n', 'SW1A 1AA'],
    ['m11ae', 'M1 1AE'],
    ['GIR0AA', 'GIR 0AA'],
    ['npt 0ad', 'NPT 0AD'],
    ['s w 1 a 1 a a', 'SW1A 1AA'],
  ])('the text %j is the postcode %s', (written, canonical) => {
    expect(normalisePostcode(written)).toBe(canonical);
  });

  test.each([
    '',
    ' ',
    'SW1A',
    '1AA',
    'SW1A-1AA',
    'SW1A 1AAA',
    '11 1AA',
    'ABC 1AA',
    'SW1A OAA',
    'ＳＷ1A 1AA',
    'ſW1A 1AA',
    '💥',
  ])('the text %j is not a postcode', (written) => {
    expect(normalisePostcode(written)).toBeUndefined();
  });

  test('a postcode in small letters with any spacing is the same postcode', () => {
    fc.assert(
      fc.property(
        postcode,
        fc.array(fc.constantFrom(' ', '\t', '\u2003', ''), { minLength: 8, maxLength: 8 }),
        (text, blanks) => {
          const written = [...text.toLowerCase()]
            .map((character, index) => character + (blanks[index] ?? ''))
            .join('');
          expect(normalisePostcode(written)).toBe(text);
        },
      ),
    );
  });

  test('the keys of postcodes sort like the canonical texts of the postcodes', () => {
    fc.assert(
      fc.property(postcode, postcode, (one, other) => {
        expect(Math.sign(keyOfText(one) - keyOfText(other))).toBe(one === other ? 0 : one < other ? -1 : 1);
      }),
    );
  });

  test('a key fits into 32 bits and can be converted back to its postcode', () => {
    fc.assert(
      fc.property(postcode, (text) => {
        const key = keyOfText(text);
        expect(key).toBeLessThan(2 ** 32);
        expect(postcodeOfKey(key)).toBe(text);
      }),
    );
  });

  test('normalises any text without an error, whatever its characters and length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const canonical = normalisePostcode(text);
        expect(canonical === undefined || keyOfText(canonical) !== NO_KEY).toBe(true);
        expect(Array.isArray(possibleKeys(text))).toBe(true);
      }),
    );
    expect(normalisePostcode('A'.repeat(1_000_000))).toBeUndefined();
    expect(normalisePostcode(`${' '.repeat(1_000_000)}SW1A1AA`)).toBe('SW1A 1AA');
  });

  test('if O was typed for 0, I for 1, or the reverse, the readings of the text include the intended postcode', () => {
    fc.assert(
      fc.property(postcode, fc.integer({ min: 0, max: 255 }), (text, mask) => {
        const swapped: Record<string, string> = { O: '0', '0': 'O', I: '1', '1': 'I' };
        const slipped = [...text].map((character, index) =>
          ((mask >> index) & 1) === 1 ? (swapped[character] ?? character) : character,
        );
        expect(possibleKeys(slipped.join(''))).toContain(keyOfText(text));
      }),
    );
  });

  test.each(['SW1A%201AA', 'SW1A%C2%A01AA', 'SW1A&nbsp;1AA', 'SW1A&#160;1AA', '&#x20;SW1A1AA%20'])(
    'a space in the text %s may be written as URLs and HTML do',
    (text) => {
      expect(possibleKeys(text).map(postcodeOfKey)).toEqual(['SW1A 1AA']);
    },
  );

  test.each(['SW1A lAA', 'SW1A LAA', 'sw1alaa', 'SWlA1AA', 'SWlAlAA'])(
    'an L in the text %j where only a 1 can be is repaired',
    (text) => {
      expect(possibleKeys(text).map(postcodeOfKey)).toEqual(['SW1A 1AA']);
    },
  );

  test.each(['SL1 1LL', 'L1 8LL', 'hello', 'SWL 1AA', 'swla 1aa', 'a'.repeat(99) + 'lAA'])(
    'an L stays an L unless it begins the inward code or is small among capitals (row %#)',
    (text) => {
      const exact = keyOfText(text);
      const readings = possibleKeys(text);
      expect(readings[0] ?? NO_KEY).toBe(exact);
      expect(readings.every((key) => /L.* |L/u.test(postcodeOfKey(key)))).toBe(true);
    },
  );

  test('removes stray characters anywhere in a postcode', () => {
    const dirt = fc.constantFrom(
      ...['-', '‑', '–', '−', '.', ',', "'", '"', '`', '‘', '”', '„', '«', '…'],
      ...[
        '\u00ad',
        '\u200b',
        '\u200d',
        '\u2060',
        '\ufeff',
        '\u200e',
        '\u202e',
        '\u2066',
        '\0',
        '\u{e0100}',
        ' ',
      ],
    );
    fc.assert(
      fc.property(
        postcode,
        fc.array(dirt, { minLength: 9, maxLength: 9 }),
        (text, [first = '', ...others]) => {
          const written =
            first + [...text].map((character, index) => character + (others[index] ?? '')).join('');
          expect(possibleKeys(written)).toContain(keyOfText(text));
        },
      ),
    );
  });

  test.each([
    '(SW1A 1AA)',
    '[sw1a1aa]',
    'SW1A 1AA;',
    '="SW1A 1AA"',
    '{SW1A-1AA}:',
    '<SW1A 1AA>',
    'ＳＷ１Ａ　１ＡＡ',
    '（SW1A 1AA）；',
    ' ( SW1A (1AA) ) ',
  ])('the text %j is SW1A 1AA with stray characters', (text) => {
    expect(possibleKeys(text)).toEqual([keyOfText('SW1A 1AA')]);
  });

  test.each(['SW1A/1AA', 'SW1A 1AA!', 'SW1A+1AA', 'SW1A 1ÁA', '(E1 61AA)', 'E1 (61AA)'])(
    'the text %j is not a postcode, even after removing stray characters',
    (text) => {
      expect(possibleKeys(text)).toEqual([]);
    },
  );
});

describe('a typed boundary', () => {
  test('a space or hyphen after an outward code excludes readings in which that code is longer or shorter', () => {
    fc.assert(
      fc.property(postcode, fc.constantFrom(' ', '-', '\u00a0', '\u2013', ' - '), (text, boundary) => {
        const [outward = '', inward = ''] = text.split(' ');
        expect(possibleKeys(outward + boundary + inward)).toContain(keyOfText(text));
        for (const length of [1, 2])
          expect(possibleKeys(outward + boundary + inward.slice(-length))).toEqual([]);
        expect(outcodeOf(outward + boundary + inward.slice(0, 1))).toBeUndefined();
        expect(beginningsOfText(outward + boundary + inward.slice(0, 1))[0]).toEqual({
          outcode: outward,
          text: `${outward} ${inward.slice(0, 1)}`,
          isSector: true,
        });
      }),
    );
  });

  test.each(['E1 61AA', 'E1-61AA', 'E16 AN', 'E16 1 AA1', 'AB1 01AA'])(
    'the text %j is invalid because of its space or hyphen',
    (text) => {
      expect(possibleKeys(text)).toEqual([]);
    },
  );

  test.each([
    ['SW1 A1AA', 'SW1A 1AA'],
    ['SO 141AA', 'SO14 1AA'],
    ['AB1 0 1AA', 'AB10 1AA'],
    ['S-W-1-A-1-A-A', 'SW1A 1AA'],
  ])('the text %j is the postcode %s in spite of its space or hyphen', (text, canonical) => {
    expect(possibleKeys(text).map(postcodeOfKey)).toContain(canonical);
  });

  test.each(['E1', 'E16', 'E1 6AN', 'SW 1', 'E1 AN', '6', ''])(
    'the text %j is not an outcode followed by the beginning of an inward code',
    (text) => {
      expect(beginningsOfText(text)).toEqual([]);
    },
  );
});

/** The outward code of a text, after removing stray characters and repairing typing errors. */
const outcodeOf = (text: string) =>
  firstRepairedReading(cleanPostcode(text), (characters, length, boundaries) => {
    const number = outcodeWithin(characters, length, boundaries);
    return number === NO_KEY ? undefined : outcodeText(number);
  });

describe('an outcode', () => {
  test.each([
    ['SW1A', 'SW1A'],
    [' sw 1a-', 'SW1A'],
    ['SWIA', 'SW1A'],
    ['M1', 'M1'],
    ['gir', 'GIR'],
  ])('the text %j is the outcode %s', (text, outcode) => {
    expect(outcodeOf(text)).toBe(outcode);
  });

  test.each([
    '',
    'E1 6',
    'E1-6',
    'M1\u00a01',
    'E1 O',
    'S',
    'SW',
    'Ml',
    '1A',
    'SW1A 1',
    'SW1A 1AA',
    'hello',
    '--',
  ])('the text %j is not an outcode', (text) => {
    expect(outcodeOf(text)).toBeUndefined();
  });
});
