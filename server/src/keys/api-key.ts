import { createHmac, type KeyObject } from 'node:crypto';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import type { RandomBytes } from '../platform/random.js';

/** What every key begins with. */
export const KEY_START = 'sp_live_';
const SHOWN_LENGTH = 8;

const format = opaqueTokenFormat(KEY_START);

/** A new key: `sp_live_`, 32 random characters (190 bits), 6 of checksum. */
export const generateApiKey = (randomBytes: RandomBytes): string => format.generate(randomBytes);

/** Whether a text is a key as it was given out: the format and the checksum are right. Needs no database. */
export const isApiKey = (text: string): boolean => format.matches(text);

/** The part of a key that may be shown and stored: it names the key to people and opens nothing. */
export const prefixOf = (key: string): string => key.slice(0, KEY_START.length + SHOWN_LENGTH);

const STARTS_AS_SHOWN = new RegExp(`^${KEY_START}[\\dA-Za-z]{${SHOWN_LENGTH}}`, 'u');

/** What is shown of the key that a text is, or begins; undefined where it is another text. */
export const shownPrefixOf = (text: string): string | undefined => STARTS_AS_SHOWN.exec(text)?.[0];

/**
 * What is stored in place of a key: its HMAC-SHA-256 under the pepper, base64url. A fast hash is right for 190
 * random bits, and without the pepper a copy of the database tests no guess.
 */
export const hashApiKey = (pepper: KeyObject, key: string): string =>
  createHmac('sha256', pepper).update(key).digest('base64url');
