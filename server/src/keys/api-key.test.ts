import { BASE62, systemRandomBytes } from '../platform/random.js';
import { generateApiKey, isApiKey, prefixOf } from './api-key.js';

const key = generateApiKey(systemRandomBytes);

test('a generated key has the documented form and is a valid key', () => {
  expect(key).toMatch(/^sp_live_[0-9A-Za-z]{38}$/u);
  expect(isApiKey(key)).toBe(true);
});

test('the key generated from zero bytes ends with the checksum 25Fj7W', () => {
  expect(generateApiKey((count) => Buffer.alloc(count))).toBe(`sp_live_${'0'.repeat(32)}25Fj7W`);
});

test('generating a key again gives a different key', () => {
  expect(generateApiKey(systemRandomBytes)).not.toBe(key);
});

test('a key with any single wrong character is not a valid key', () => {
  for (let index = 0; index < key.length; index += 1) {
    for (const character of BASE62) {
      if (character === key[index]) continue;
      expect(isApiKey(key.slice(0, index) + character + key.slice(index + 1))).toBe(false);
    }
  }
});

test('a key with two different neighbouring characters swapped after "sp_live_" is not a valid key', () => {
  for (let index = 8; index + 1 < key.length; index += 1) {
    const [left, right] = [key.charAt(index), key.charAt(index + 1)];
    if (left === right) continue;
    expect(isApiKey(key.slice(0, index) + right + left + key.slice(index + 2))).toBe(false);
  }
});

test.each(['', 'sp_live_', 'hello', key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`])(
  'rejects a text that is not a key: %j',
  (text) => {
    expect(isApiKey(text)).toBe(false);
  },
);

test('the prefix of a key is its first 16 characters', () => {
  expect(prefixOf(key)).toBe(key.slice(0, 16));
});
