import { createHmac, type KeyObject } from 'node:crypto';
import { opaqueTokenFormat } from '../opaque-token.js';
import type { RandomBytes } from '../random-bytes.js';

/** What every refresh token begins with. */
export const REFRESH_TOKEN_START = 'rt_';

const format = opaqueTokenFormat(REFRESH_TOKEN_START);

/** A new refresh token: `rt_`, 32 random characters (190 bits), 6 of checksum. */
export const generateRefreshToken = (randomBytes: RandomBytes): string => format.generate(randomBytes);

/** Whether a text has the form and the checksum of a refresh token. Needs no database. */
export const isRefreshToken = (text: string): boolean => format.matches(text);

/** What a refresh token is found by: its HMAC-SHA-256 under the pepper, base64url. */
export const hashRefreshToken = (pepper: KeyObject, refreshToken: string): string =>
  createHmac('sha256', pepper).update(refreshToken).digest('base64url');
