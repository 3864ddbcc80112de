import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '../platform/errors.js';
import { type RandomBytes, randomCharacters } from '../platform/random.js';
import { inPasswordTurn } from './password-turns.js';

const minCharacters = 12;
const maxCharacters = 200;

/** Whether a text has more characters than any password. */
const isTooLong = (password: string): boolean => [...password].length > maxCharacters;

/** Throws a ServiceError where a password is too short or too long; there are no other rules. */
export function checkPassword(password: string): void {
  const { length } = [...password];
  if (length >= minCharacters && length <= maxCharacters) return;
  throw new ServiceError(
    'invalidRequest',
    `The password has ${length} characters. Choose one of ${minCharacters} to ${maxCharacters} characters.`,
  );
}

/** Without the characters that are mistaken for each other: 0 and o, 1 and l and i. */
const readable = '23456789abcdefghjkmnpqrstuvwxyz';
const groupCount = 5;
const groupLength = 4;

/** A password to be read out or typed from paper: five groups of four characters, 99 bits. */
export const generatePassword = (randomBytes: RandomBytes): string =>
  Array.from({ length: groupCount }, () => randomCharacters(randomBytes, readable, groupLength)).join('-');

interface ChosenPassword {
  readonly password: string;
  readonly isGenerated: boolean;
}

/** The password that was given, checked, or else a new one. */
export function choosePassword(given: string | undefined, randomBytes: RandomBytes): ChosenPassword {
  if (given === undefined) return { password: generatePassword(randomBytes), isGenerated: true };
  checkPassword(given);
  return { password: given, isGenerated: false };
}

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
