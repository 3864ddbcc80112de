import { createHmac, type KeyObject } from 'node:crypto';
import { opaqueTokenFormat } from '../platform/opaque-token.js';
import type { RandomBytes } from '../platform/random.js';

/** The start of every key. */
export const KEY_START = 'sp_live_';
const SHOWN_LENGTH = 8;

const format = opaqueTokenFormat(KEY_START);

/** Generates a key: `sp_live_`, 32 random characters (190 bits), and a checksum of 6 characters. */
export const generateApiKey = (randomBytes: RandomBytes): string => format.generate(randomBytes);

/** Whether a text has the format and the checksum of a key. Needs no database. */
export const isApiKey = (text: string): boolean => format.matches(text);

/** The part of a key that may be shown and stored. It identifies the key for people, and gives no access. */
export const prefixOf = (key: string): string => key.slice(0, KEY_START.length + SHOWN_LENGTH);

const STARTS_AS_SHOWN = new RegExp(`^${KEY_START}[\\dA-Za-z]{${SHOWN_LENGTH}}`, 'u');

/** The prefix at the start of a text, such as a whole or shortened key; undefined if there is none. */
export const shownPrefixOf = (text: string): string | undefined => STARTS_AS_SHOWN.exec(text)?.[0];

/**
 * The hash that is stored for a key: HMAC-SHA-256 with the pepper, as base64url. A fast hash is enough for 190 random
 * bits. Without the pepper, nobody can test guesses against a copy of the database.
 */
export const hashApiKey = (pepper: KeyObject, key: string): string =>
  createHmac('sha256', pepper).update(key).digest('base64url');
