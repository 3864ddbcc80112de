import { createHmac, type KeyObject } from 'node:crypto';

/**
 * What is stored in place of a key: its HMAC-SHA-256 under the pepper, base64url. A fast hash is right for 190
 * random bits, and without the pepper a copy of the database tests no guess.
 */
export const hashApiKey = (pepper: KeyObject, key: string): string =>
  createHmac('sha256', pepper).update(key).digest('base64url');
