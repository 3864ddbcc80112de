import { randomBytes } from 'node:crypto';

/** Returns `count` unpredictable bytes. */
export type RandomBytes = (count: number) => Buffer;

export const systemRandomBytes: RandomBytes = (count) => randomBytes(count);

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const BYTE_VALUES = 256;

/**
 * Returns `count` random characters from an alphabet of at most 256, all equally likely. Drops bytes that would make
 * some characters more likely.
 */
export function randomCharacters(randomBytes: RandomBytes, alphabet: string, count: number): string {
  const usable = BYTE_VALUES - (BYTE_VALUES % alphabet.length);
  let characters = '';
  while (characters.length < count) {
    for (const byte of randomBytes(count - characters.length)) {
      if (byte < usable) characters += alphabet.charAt(byte % alphabet.length);
    }
  }
  return characters;
}
