import { createHash } from 'node:crypto';

/** The form in which a random token is stored. A fast hash without a key is enough for 99 random bits and more. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
