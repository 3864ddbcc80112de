import { crc32 } from 'node:zlib';
import { BASE62, type RandomBytes, randomCharacters } from './random.js';

const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** Creates random tokens of one kind, and recognizes them. */
export interface OpaqueTokenFormat {
  /** Creates a token: the start, 32 random characters (190 bits), and a checksum of 6 characters. */
  generate(randomBytes: RandomBytes): string;
  /** Whether a text has the form and the checksum of a token. Needs no database. */
  matches(text: string): boolean;
}

/** The CRC-32 of a text, written in base62. It only detects typing errors. */
function checksumOf(text: string): string {
  let remainder = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(remainder % BASE62.length) + digits;
    remainder = Math.floor(remainder / BASE62.length);
  }
  return digits;
}

/** Returns an object that creates and recognizes tokens with this start. */
export function opaqueTokenFormat(start: string): OpaqueTokenFormat {
  const form = new RegExp(`^${start}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`, 'u');
  return {
    generate(randomBytes) {
      const body = start + randomCharacters(randomBytes, BASE62, RANDOM_LENGTH);
      return body + checksumOf(body);
    },
    matches: (text) => form.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH))),
  };
}
