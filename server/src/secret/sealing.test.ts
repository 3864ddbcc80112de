import { createSecretKey } from 'node:crypto';
import { systemRandomBytes } from '../platform/random.js';
import { seal, unseal } from './sealing.js';

const key = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));
const secret = Buffer.from('what nobody may read');
const sealed = seal(key, secret, 'row_1', systemRandomBytes);

test('opens a sealed secret with the same key and name', () => {
  expect(unseal(key, sealed, 'row_1')).toEqual(secret);
});

test('does not open a sealed secret with another key or name', () => {
  expect(() => unseal(otherKey, sealed, 'row_1')).toThrow(/cannot be decrypted/u);
  expect(() => unseal(key, sealed, 'row_2')).toThrow(/cannot be decrypted/u);
});

test('sealing the same secret twice gives different texts', () => {
  expect(seal(key, secret, 'row_1', systemRandomBytes)).not.toBe(sealed);
});

test('rejects a sealed secret with one changed byte, or cut off anywhere', () => {
  const bytes = Buffer.from(sealed, 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (bytes[index] ?? 0) ^ 1;
    expect(() => unseal(key, changed.toString('base64url'), 'row_1')).toThrow(/cannot be decrypted/u);
    const cut = bytes.subarray(0, index).toString('base64url');
    expect(() => unseal(key, cut, 'row_1')).toThrow(/cannot be decrypted/u);
  }
});
