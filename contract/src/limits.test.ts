import { errorJson, LIMITS, tooManyValues } from './index.js';

const { max } = LIMITS.bodyValues;
const list = (count: number, entry = '1') => `[${Array.from({ length: count }, () => entry).join(',')}]`;

test('accepts a body with the maximum number of values, and rejects one with one more', () => {
  expect(tooManyValues(list(max))).toBeUndefined();
  expect(tooManyValues(list(max + 1))).toContain(`at most ${max}`);
});

test('counts the values of nested objects and lists together', () => {
  expect(tooManyValues('['.repeat(max))).toBeUndefined();
  expect(tooManyValues('['.repeat(max + 1))).toBeDefined();
  expect(tooManyValues(`{"a":${list(max - 1)}}`)).toBeUndefined();
  expect(tooManyValues(`{"a":${list(max)}}`)).toBeDefined();
});

test.each(['"[{,"', '"\\""', '"\\\\"', '"\\\\\\",,"', '"\\u005c,"'])(
  'characters inside the string %s do not count as values',
  (text) => {
    expect(tooManyValues(list(max, text))).toBeUndefined();
    expect(tooManyValues(list(max + 1, text))).toBeDefined();
  },
);

test('an unterminated string with 1,000 commas and an empty text do not count as too many values', () => {
  expect(tooManyValues(`"${','.repeat(1_000)}`)).toBeUndefined();
  expect(tooManyValues('')).toBeUndefined();
});

test.each(['x', '"', '\u0000', '€', '💥', '\ud800'])(
  'an error message full of %j makes a JSON body of at most 4 KiB',
  (character) => {
    for (const length of [100, 400, 1_000, 4_096, 1_000_000]) {
      const json = errorJson(character.repeat(length));
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(LIMITS.errorBytes.max);
      expect(JSON.parse(json)).toEqual({ error: expect.any(String) });
    }
  },
);

test('an error with further fields above the limit still has its fields', () => {
  const fields = { long: 'x'.repeat(LIMITS.errorBytes.max) };
  expect(JSON.parse(errorJson('It is wrong. '.repeat(100), fields))).toMatchObject(fields);
});

test('an error message of 4,000 ASCII characters stays complete', () => {
  const words = 'x'.repeat(4_000);
  expect(JSON.parse(errorJson(words))).toEqual({ error: words });
});
