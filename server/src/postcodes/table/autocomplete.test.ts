import fc from 'fast-check';
import sample from '../sample/postcodes.json' with { type: 'json' };
import { sampleDirectory } from '../sample/sample-directory.js';
import { parsedDirectory } from '../../../../test/fixtures/postcodes/parsed-directory.js';
import { smallDirectory } from '../../../../test/fixtures/postcodes/small-directory.js';

type Rows = Parameters<typeof smallDirectory>[0];

const DEFAULT_LIMIT = 10;
const directoryOf = (rows: Rows) => parsedDirectory(smallDirectory(rows));
const outcodeOf = (postcode: string) => postcode.split(' ')[0] ?? '';
const unspaced = (postcode: string) => postcode.replace(' ', '');

const letter = fc.constantFrom(...Array.from('MNAB'));
const digit = fc.constantFrom(...Array.from('0123'));
const postcode = fc
  .tuple(
    letter,
    fc.option(letter, { nil: '' }),
    digit,
    fc.oneof(letter, digit, fc.constant('')),
    digit,
    letter,
    letter,
  )
  .map(
    ([first, second, third, fourth, ...inward]) => `${first}${second}${third}${fourth} ${inward.join('')}`,
  );
const rowsOf = fc.array(fc.record({ postcode, isActive: fc.boolean() }), { minLength: 1, maxLength: 200 });
const limits = fc.integer({ min: 1, max: 20 });

/** The active postcodes among some rows, in order. A repeated postcode is active if any of its rows is active. */
const activeOf = (rows: Rows) =>
  [...new Set(rows.filter(({ isActive }) => isActive !== false).map(({ postcode }) => postcode))].sort();

describe('autocompletion of a text without a space', () => {
  /** The matching postcodes in groups, in the order in which they are listed. */
  function groupsOf(rows: Rows, partial: string): string[][] {
    const begun = activeOf(rows).filter((text) => unspaced(text).startsWith(partial));
    const isOutcode = /^[A-Z]{1,2}\d$/u.test(partial);
    const isLonger = (text: string, next: RegExp) =>
      isOutcode && outcodeOf(text).startsWith(partial) && next.test(outcodeOf(text).slice(partial.length));
    const groups = [
      begun.filter((text) => outcodeOf(text) === partial),
      begun.filter((text) => isLonger(text, /^[A-Z]$/u)),
      begun.filter((text) => isLonger(text, /^\d$/u)),
    ];
    return [...groups, begun.filter((text) => !groups.flat().includes(text))];
  }

  test('lists active postcodes in order: those of the outcode itself, then of outcodes with a letter added, a digit added, and others', () => {
    fc.assert(
      fc.property(rowsOf, postcode, fc.integer({ min: 1, max: 7 }), limits, (rows, like, length, limit) => {
        const partial = unspaced(like).slice(0, length);
        const groups = groupsOf(rows, partial);
        const listed = directoryOf(rows).autocomplete(` ${partial.toLowerCase()}`, limit);
        const whole = groups.flat();
        expect(listed).toEqual(whole.filter((text) => listed.includes(text)));
        expect(listed).toHaveLength(Math.min(limit, whole.length));
        const filled = groups.filter((group) => group.length > 0);
        for (const group of filled)
          expect(group.filter((text) => listed.includes(text)).length).toBeGreaterThanOrEqual(
            Math.min(group.length, Math.floor(limit / filled.length)),
          );
      }),
      { numRuns: 300 },
    );
  });

  test('gives each outcode that continues the text a fair share of the limit', () => {
    const rows = ['W1A', 'W1B', 'W10', 'W11'].flatMap((outcode) =>
      ['1AA', '1AB', '1AD', '1AE', '1AF'].map((inward) => ({ postcode: `${outcode} ${inward}` })),
    );
    const outcodes = directoryOf(rows).autocomplete('W1', 8).map(outcodeOf);
    expect(outcodes).toEqual(['W1A', 'W1A', 'W1B', 'W1B', 'W10', 'W10', 'W11', 'W11']);
    expect(directoryOf(rows).autocomplete('W1', 3).map(outcodeOf)).toEqual(['W1A', 'W1B', 'W10']);
  });

  test('typing an outcode of the sample with active postcodes lists one of them within the default limit', () => {
    const live = sample.map((row) => row.split('|')).filter(([, terminated]) => terminated === '');
    const outcodes = new Set(live.map(([text = '']) => outcodeOf(text)));
    const whole = parsedDirectory(sampleDirectory());
    expect(outcodes.size).toBeGreaterThan(100);
    for (const outcode of outcodes)
      expect(whole.autocomplete(outcode, DEFAULT_LIMIT).map(outcodeOf)).toContain(outcode);
  });

  test('lists postcodes of M11 before M1 1AA if M11 was typed', () => {
    const manchester = directoryOf([{ postcode: 'M1 1AA' }, { postcode: 'M11 1AA' }, { postcode: 'M2 1AA' }]);
    expect(manchester.autocomplete('M11', 1)).toEqual(['M11 1AA']);
    expect(manchester.autocomplete('M11', 10)).toEqual(['M11 1AA', 'M1 1AA']);
    expect(manchester.autocomplete('M11A', 10)).toEqual(['M1 1AA']);
  });
});

describe('a space after an outcode', () => {
  test('a text with a space lists only postcodes that begin with it; if none does, an outcode and a space list the postcodes of outcodes with an added letter', () => {
    const blank = fc.constantFrom(' ', '  ', '\t', '\u00a0', '\n \u2003');
    fc.assert(
      fc.property(
        rowsOf,
        postcode,
        blank,
        fc.integer({ min: 0, max: 3 }),
        limits,
        (rows, like, white, inward, limit) => {
          const canonical = like.slice(0, like.indexOf(' ') + 1 + inward);
          const active = activeOf(rows);
          const bound = active.filter((text) => text.startsWith(canonical));
          const lettered = active.filter(
            (text) =>
              /^[A-Z]$/u.test(outcodeOf(text).slice(canonical.length - 1)) &&
              text.startsWith(canonical.trimEnd()),
          );
          const wanted = bound.length === 0 && inward === 0 ? lettered : bound;
          const typed = canonical.toLowerCase().replace(' ', white);
          expect(directoryOf(rows).autocomplete(typed, limit)).toEqual(wanted.slice(0, limit));
        },
      ),
      { numRuns: 300 },
    );
  });

  const directory = directoryOf([
    { postcode: 'M1 1AA' },
    { postcode: 'M11 1AA' },
    { postcode: 'SW1A 1AA' },
    { postcode: 'SW10 0AA' },
    { postcode: 'AB1 1AA', isActive: false },
    { postcode: 'AB11 1AA' },
  ]);

  test.each([
    ['M11 ', ['M11 1AA']],
    ['m11\t1', ['M11 1AA']],
    [' M11   ', ['M11 1AA']],
    ['M1 ', ['M1 1AA']],
    ['M1 1', ['M1 1AA']],
    ['M1 1AA', ['M1 1AA']],
    ['M1 1 1AA', ['M11 1AA']],
    ['M11 A', []],
    ['SW 1A', ['SW1A 1AA']],
    ['SW 1A 1', ['SW1A 1AA']],
    ['S W 1 A 1 A A', ['SW1A 1AA']],
    ['SW1A1 AA ', ['SW1A 1AA']],
  ])('completes the text %j to %j', (typed, postcodes) => {
    expect(directory.autocomplete(typed, DEFAULT_LIMIT)).toEqual(postcodes);
  });

  test('returns nothing for an outcode and a space if all its postcodes are terminated', () => {
    expect(directory.autocomplete('AB1 ', DEFAULT_LIMIT)).toEqual([]);
    expect(directory.autocomplete('AB1 1', DEFAULT_LIMIT)).toEqual([]);
    expect(directory.autocomplete('AB1', DEFAULT_LIMIT)).toEqual(['AB11 1AA']);
  });

  test('an outcode and a space list the postcodes of outcodes with an added letter if the outcode exists only with one', () => {
    expect(directory.autocomplete('SW1 ', DEFAULT_LIMIT)).toEqual(['SW1A 1AA']);
    expect(directory.autocomplete('SW1', DEFAULT_LIMIT)).toEqual(['SW1A 1AA', 'SW10 0AA']);
  });
});

describe('typing errors', () => {
  const directory = directoryOf([
    { postcode: 'SW1A 1AA' },
    { postcode: 'M1 0AA' },
    { postcode: 'M11 1AA' },
    { postcode: 'OX1 1AA' },
  ]);

  test.each([
    ['SWIA', 'SW1A 1AA'],
    ['swia i', 'SW1A 1AA'],
    ['MI OA', 'M1 0AA'],
    ['M1I ', 'M11 1AA'],
    ['0x1', 'OX1 1AA'],
    ['“M11', 'M11 1AA'],
    ['SW1A-1', 'SW1A 1AA'],
    ['SWlA 1', 'SW1A 1AA'],
    ['\uFEFFm\u200b11\u200e', 'M11 1AA'],
  ])('repairs typing errors and stray characters in the text %j', (typed, postcodeMeant) => {
    expect(directory.autocomplete(typed, DEFAULT_LIMIT)).toEqual([postcodeMeant]);
  });

  test.each(['??', 'é1', '12', 'SW1A 1AAA', 'OIOIOIO', 'x'.repeat(10_000)])(
    'completes a text with which no postcode begins to nothing (row %#)',
    (typed) => {
      expect(directory.autocomplete(typed, DEFAULT_LIMIT)).toEqual([]);
    },
  );

  test('completes any text without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (typed) => {
        expect(directory.autocomplete(typed, DEFAULT_LIMIT).length).toBeLessThan(5);
      }),
    );
  });
});
