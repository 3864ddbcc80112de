import { verify } from '@node-rs/argon2';
import { isTooLong } from './check-password.js';

/** A hash made as `hashPassword` makes them, of 32 random bytes that were thrown away. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$TXyK6vUYWFqf9EpkpTY80w$QnIvBit4dvIYSd/WC3e/V4ollGT1Brd/dnXcn2AnuDI';

/**
 * Whether this is the password of that hash. Without a hash, or with a password that is too long to be one, the
 * answer is no after the same work, so that the time tells nothing.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const isPossible = hash !== undefined && !isTooLong(password);
  const tried = isTooLong(password) ? '' : password.normalize('NFKC');
  const isRight = await verify(hash ?? NOBODYS_HASH, tried);
  return isPossible && isRight;
}
