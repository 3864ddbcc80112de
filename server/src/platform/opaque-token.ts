import { crc32 } from 'node:zlib';
import { BASE62, type RandomBytes, randomCharacters } from './random.js';

const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** How a kind of random token is made and told apart from other texts. */
export interface OpaqueTokenFormat {
  /** A new token: its start, 32 random characters (190 bits), 6 of checksum. */
  generate(randomBytes: RandomBytes): string;
  /** Whether a text is a token as it was given out: form and checksum are right. Needs no database. */
  matches(text: string): boolean;
}

/** The CRC-32 of a text in base62: not a protection, only so that a typing error is told apart at once. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** The format of tokens that begin so. */
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
