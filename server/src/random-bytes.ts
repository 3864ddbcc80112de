import { randomBytes } from 'node:crypto';

/** A source of that many unpredictable bytes. */
export type RandomBytes = (count: number) => Buffer;

export const systemRandomBytes: RandomBytes = (count) => randomBytes(count);
