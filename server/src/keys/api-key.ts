import { crc32 } from 'node:zlib';
import type { RandomBytes } from '../random-bytes.js';
import { BASE62, randomCharacters } from '../random-characters.js';

/** What every key begins with. */
export const KEY_START = 'sp_live_';
const randomLength = 32;
const checksumLength = 6;
const shownLength = 8;

const format = new RegExp(`^${KEY_START}[0-9A-Za-z]{${randomLength + checksumLength}}$`, 'u');

/** The CRC-32 of a text in base62: not a protection, only so that a typing error is told apart at once. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < checksumLength) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** A new key: `sp_live_`, 32 random characters (190 bits), 6 of checksum. */
export function generateApiKey(randomBytes: RandomBytes): string {
  const body = KEY_START + randomCharacters(randomBytes, BASE62, randomLength);
  return body + checksumOf(body);
}

/** Whether a text is a key as it was given out: the format and the checksum are right. Needs no database. */
export function isApiKey(text: string): boolean {
  return format.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumLength)));
}

/** The part of a key that may be shown and stored: it names the key to people and opens nothing. */
export const prefixOf = (key: string): string => key.slice(0, KEY_START.length + shownLength);
