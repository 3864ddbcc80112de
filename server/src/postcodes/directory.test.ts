import fc from 'fast-check';
import { parsedDirectory } from '../../../test/fixtures/postcodes/parsed-directory.js';
import { smallDirectory } from '../../../test/fixtures/postcodes/small-directory.js';

const directory = parsedDirectory(
  smallDirectory([
    { postcode: 'SW1A 0AA', at: [51.49984, -0.12463] },
    { postcode: 'SO1 1AA', isActive: false },
    { postcode: 'IP1 2DE', at: [52.0536, 1.14319] },
    { postcode: 'GIR 0AA', isActive: false },
    { postcode: 'NPT 0AD', isActive: false },
  ]),
);
const postcodeOf = (input: string) => {
  const record = directory.lookup(input);
  return typeof record === 'object' ? record.postcode : record;
};

describe('a lookup', () => {
  test.each([
    ['SW1A OAA', 'SW1A 0AA'],
    ['IPl 2DE', 'IP1 2DE'],
    ['S01 1AA', 'SO1 1AA'],
    ['1P1 2DE', 'IP1 2DE'],
    ['ipi 2de', 'IP1 2DE'],
    ['G1R OAA', 'GIR 0AA'],
    ['NPT OAD', 'NPT 0AD'],
  ])('repairs the typing error in %s and returns %s', (input, postcode) => {
    expect(postcodeOf(input)).toBe(postcode);
  });

  test('distinguishes a text that cannot be a postcode from a postcode that is not in the directory', () => {
    expect(directory.lookup('hello')).toBe('malformed');
    expect(directory.lookup('')).toBe('malformed');
    expect(directory.lookup('ZZ99 9ZZ')).toBeUndefined();
    expect(directory.lookup('ZZ99 OZZ')).toBeUndefined();
  });

  test('returns null for values that the directory does not have', () => {
    expect(directory.lookup('gir0aa')).toEqual({
      postcode: 'GIR 0AA',
      outcode: 'GIR',
      incode: '0AA',
      latitude: null,
      longitude: null,
      easting: null,
      northing: null,
      country: null,
      region: null,
      localAuthority: null,
      ward: null,
      constituency: null,
      lsoa: null,
      msoa: null,
      policeForce: null,
      icb: null,
      isActive: false,
    });
  });
});

describe('stray characters', () => {
  const dirty = '\uFEFF“SW1A\u00a0–\u200b1\u00adA.A\u200e’,';

  test('single and bulk lookups remove stray characters', () => {
    expect(postcodeOf('SW1A-0AA')).toBe('SW1A 0AA');
    expect(postcodeOf(dirty.replace('1\u00adA', 'OA'))).toBe('SW1A 0AA');
    expect(directory.lookupAll(["'so1.1aa'", 'SW1A/0AA'])).toMatchObject({ found: 1, notFound: 1 });
  });

  test('validation rejects a postcode with stray characters, except a no-break space', () => {
    expect(directory.validate('SW1A-0AA')).toEqual({
      postcode: 'SW1A-0AA',
      isValid: false,
      isActive: false,
      suggestion: 'SW1A 0AA',
    });
    expect(directory.validate('SW1A\u200b0AA').isValid).toBe(false);
    expect(directory.validate('SW1A\u00a00AA').isValid).toBe(true);
  });
});

describe('lookups of many', () => {
  test('a bulk lookup returns the same as single lookups, in the same order, and counts missing postcodes', () => {
    const inputs = ['SW1A OAA', 'hello', 'ip12de', 'ZZ99 9ZZ', 'SO1 1AA', 'SW1A 0AA'];
    const results = inputs.flatMap((input, index) => {
      const found = directory.lookup(input);
      return typeof found === 'object' ? [{ ...found, index }] : [];
    });
    const missing = [
      { index: 1, postcode: 'hello', reason: 'malformed' },
      { index: 3, postcode: 'ZZ99 9ZZ', reason: 'unknown' },
    ];
    expect(directory.lookupAll(inputs)).toEqual({ results, found: 4, notFound: 2, missing });
  });

  test('a bulk lookup accepts an empty list, and a list of only duplicates', () => {
    expect(directory.lookupAll([])).toEqual({ results: [], found: 0, notFound: 0, missing: [] });
    const same = directory.lookupAll(Array.from({ length: 1_000 }, () => 'SW1A 0AA'));
    const record = directory.lookup('SW1A 0AA');
    expect(same.results).toEqual(same.results.map((_, index) => Object.assign({}, record, { index })));
    expect(same.results).toHaveLength(1_000);
  });
});

test('a bulk lookup returns each text that it does not find as it was sent, whatever its characters', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 30 }), (inputs) => {
      const { results, missing } = directory.lookupAll(inputs);
      expect(results.length + missing.length).toBe(inputs.length);
      for (const { index, postcode } of missing) expect(postcode).toBe(inputs[index]);
    }),
  );
});

describe('validation', () => {
  test('validation says whether a postcode is still active', () => {
    expect(directory.validate('sw1a 0aa')).toEqual({ postcode: 'SW1A 0AA', isValid: true, isActive: true });
    expect(directory.validate('gir0aa')).toEqual({ postcode: 'GIR 0AA', isValid: true, isActive: false });
  });

  test('validation ignores case and spaces, and suggests the repaired postcode or the only one in a short text', () => {
    const invalid = { isValid: false, isActive: false };
    expect(directory.validate('SW1A OAA')).toEqual({
      postcode: 'SW1A OAA',
      ...invalid,
      suggestion: 'SW1A 0AA',
    });
    expect(directory.validate('S01 1AA')).toEqual({ postcode: 'S01 1AA', ...invalid, suggestion: 'SO1 1AA' });
    expect(directory.validate(' so11aa')).toEqual({ postcode: 'SO1 1AA', isValid: true, isActive: false });
    expect(directory.validate('no')).toEqual({ postcode: 'no', isValid: false, isActive: false });
    for (const text of ['SW1A 0AA, UK', 'Postcode: SW1A 0AA', 'GB-SW1A0AA', '1 The Mews SW1A 0AA, SW1A 0AA'])
      expect(directory.validate(text)).toMatchObject({ isValid: false, suggestion: 'SW1A 0AA' });
    for (const text of ['SW1A 0AA or SO1 1AA', 'ZZ9 9ZZ, UK', `SW1A 0AA${' '.repeat(200)}UK`])
      expect(directory.validate(text)).not.toHaveProperty('suggestion');
    expect(directory.validate('"\\\n')).toEqual({ postcode: '"\\\n', isValid: false, isActive: false });
  });
});
