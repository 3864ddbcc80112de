import { createHash } from 'node:crypto';

/** Hashes a random token for storage. A fast hash without a key is enough for tokens of at least 99 random bits. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
