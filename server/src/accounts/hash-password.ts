import { hash } from '@node-rs/argon2';
import type { RandomBytes } from '../random-bytes.js';
import { inPasswordTurn } from './password-turns.js';

const memoryKibibytes = 19 * 1024;
const passes = 2;
const saltBytes = 16;

/** The argon2id hash of a password in its standard text form; equal characters typed differently hash alike. */
export const hashPassword = (password: string, randomBytes: RandomBytes): Promise<string> =>
  inPasswordTurn(() =>
    hash(password.normalize('NFKC'), {
      memoryCost: memoryKibibytes,
      timeCost: passes,
      parallelism: 1,
      salt: randomBytes(saltBytes),
    }),
  );
