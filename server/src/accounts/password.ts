import argon2 from '@node-rs/argon2';
import { ServiceError } from '../platform/errors.js';
import { type RandomBytes, randomCharacters } from '../platform/random.js';
import { Semaphore } from '../platform/semaphore.js';
import { type PasswordOwner, whyGuessable } from './password-strength.js';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 200;

/** Whether a text has more characters than any password. */
const isTooLong = (password: string): boolean => [...password].length > MAX_CHARACTERS;

/** The refusal of a password that somebody chose. */
export class PasswordRefusal extends ServiceError {
  constructor(message: string) {
    super('invalidRequest', message);
  }
}

/** Throws a PasswordRefusal where a password is too short or too long. */
export function checkPasswordLength(password: string): void {
  const { length } = [...password];
  if (length >= MIN_CHARACTERS && length <= MAX_CHARACTERS) return;
  throw new PasswordRefusal(
    `The password has ${length} characters. Choose one of ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters.`,
  );
}

/** Throws a PasswordRefusal where a password is too short, too long, or easily guessed. */
export async function checkPassword(password: string, owner: PasswordOwner): Promise<void> {
  checkPasswordLength(password);
  const why = await whyGuessable(password, owner);
  if (why === undefined) return;
  throw new PasswordRefusal(
    `The password is easily guessed: it ${why}. Choose another, such as four or more unrelated words.`,
  );
}

/** Without the characters that are mistaken for each other: 0 and o, 1 and l and i. */
const READABLE_CHARACTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUP_COUNT = 5;
const GROUP_LENGTH = 4;

/** A password to be read out or typed from paper: five groups of four characters, 99 bits. */
export const generatePassword = (randomBytes: RandomBytes): string =>
  Array.from({ length: GROUP_COUNT }, () =>
    randomCharacters(randomBytes, READABLE_CHARACTERS, GROUP_LENGTH),
  ).join('-');

interface ChosenPassword {
  readonly password: string;
  readonly isGenerated: boolean;
}

/** The password that was given, checked, or else a new one. */
export async function choosePassword(
  given: string | undefined,
  owner: PasswordOwner,
  randomBytes: RandomBytes,
): Promise<ChosenPassword> {
  if (given === undefined) return { password: generatePassword(randomBytes), isGenerated: true };
  await checkPassword(given, owner);
  return { password: given, isGenerated: false };
}

/** A hash takes a thread of the pool that files and name lookups need too, and 19 MiB. */
const MAX_CONCURRENT_HASHES = 2;
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

/**
 * Bounds how many passwords a process hashes at a time, so that a flood of sign-ins does not take all of its threads.
 * A process has one.
 */
export const createPasswordSemaphore = (): Semaphore =>
  new Semaphore({
    permits: MAX_CONCURRENT_HASHES,
    maxWaiting: MAX_WAITING,
    tooManyWaiting: () =>
      new ServiceError('overloaded', 'Too many people are signing in. Try again in a few seconds.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });

export interface HashPasswordDeps {
  readonly randomBytes: RandomBytes;
  readonly passwordSemaphore: Semaphore;
}

const MEMORY_KIBIBYTES = 19 * 1024;
const PASSES = 2;
const SALT_BYTES = 16;

/** The argon2id hash of a password in its standard text form; equal characters typed differently hash alike. */
export const hashPassword = (
  password: string,
  { randomBytes, passwordSemaphore }: HashPasswordDeps,
): Promise<string> =>
  passwordSemaphore.run(() =>
    argon2.hash(password.normalize('NFKC'), {
      memoryCost: MEMORY_KIBIBYTES,
      timeCost: PASSES,
      parallelism: 1,
      salt: randomBytes(SALT_BYTES),
    }),
  );

/** A hash made as `hashPassword` makes them, of 32 random bytes that were thrown away. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$TXyK6vUYWFqf9EpkpTY80w$QnIvBit4dvIYSd/WC3e/V4ollGT1Brd/dnXcn2AnuDI';

/**
 * Whether this is the password of that hash. Without a hash, or with a password that is too long to be one, the
 * answer is no after the same work, so that the time tells nothing. The caller holds a permit of the semaphore.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const isPossible = hash !== undefined && !isTooLong(password);
  const tried = isTooLong(password) ? '' : password.normalize('NFKC');
  const isRight = await argon2.verify(hash ?? NOBODYS_HASH, tried);
  return isPossible && isRight;
}
