import { createSecretKey } from 'node:crypto';
import { systemRandomBytes } from '../platform/random.js';
import { generateRefreshToken, hashRefreshToken, isRefreshToken } from './refresh-tokens.js';

const refreshToken = generateRefreshToken(systemRandomBytes);

test('generates a refresh token in its documented form, and recognises it', () => {
  expect(refreshToken).toMatch(/^rt_[0-9A-Za-z]{38}$/u);
  expect(isRefreshToken(refreshToken)).toBe(true);
});

test('a token with any one character after "rt_" mistyped is not a refresh token', () => {
  for (let index = 3; index < refreshToken.length; index += 1) {
    const wrong = refreshToken[index] === 'a' ? 'b' : 'a';
    expect(isRefreshToken(refreshToken.slice(0, index) + wrong + refreshToken.slice(index + 1))).toBe(false);
  }
});

test('an API key is not a refresh token', () => {
  expect(isRefreshToken(`sp_live_${refreshToken.slice(3)}`)).toBe(false);
});

test('the hash of a token depends on the pepper', () => {
  const [one, other] = [1, 2].map((byte) => createSecretKey(Buffer.alloc(32, byte)));
  if (one === undefined || other === undefined) throw new Error('No peppers.');
  expect(hashRefreshToken(one, refreshToken)).toBe(hashRefreshToken(one, refreshToken));
  expect(hashRefreshToken(one, refreshToken)).not.toBe(hashRefreshToken(other, refreshToken));
});
