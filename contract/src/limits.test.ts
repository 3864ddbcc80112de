import { errorJson, LIMITS, tooManyValues } from './index.js';

const { max } = LIMITS.bodyValues;
const list = (count: number, entry = '1') => `[${Array.from({ length: count }, () => entry).join(',')}]`;

test('as many values as are taken are taken, and one more is not', () => {
  expect(tooManyValues(list(max))).toBeUndefined();
  expect(tooManyValues(list(max + 1))).toContain(`at most ${max}`);
});

test('fields and lists in each other count all together', () => {
  expect(tooManyValues('['.repeat(max))).toBeUndefined();
  expect(tooManyValues('['.repeat(max + 1))).toBeDefined();
  expect(tooManyValues(`{"a":${list(max - 1)}}`)).toBeUndefined();
  expect(tooManyValues(`{"a":${list(max)}}`)).toBeDefined();
});

test.each(['"[{,"', '"\\""', '"\\\\"', '"\\\\\\",,"', '"\\u005c,"'])(
  'what stands in the text %s is no value',
  (text) => {
    expect(tooManyValues(list(max, text))).toBeUndefined();
    expect(tooManyValues(list(max + 1, text))).toBeDefined();
  },
);

test('a text without an end, and no JSON at all, are for the parser to refuse', () => {
  expect(tooManyValues(`"${','.repeat(1_000)}`)).toBeUndefined();
  expect(tooManyValues('')).toBeUndefined();
});

test.each(['x', '"', '\u0000', '€', '💥', '\ud800'])(
  'a refusal full of %j has at most 4 KB and is JSON',
  (character) => {
    for (const length of [100, 400, 1_000, 4_096, 1_000_000]) {
      const json = errorJson(character.repeat(length));
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(LIMITS.errorBytes.max);
      expect(JSON.parse(json)).toEqual({ error: expect.any(String) });
    }
  },
);

test('words that are short enough are told whole', () => {
  const words = 'x'.repeat(4_000);
  expect(JSON.parse(errorJson(words))).toEqual({ error: words });
});
