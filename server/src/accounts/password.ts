import argon2 from '@node-rs/argon2';
import { ServiceError } from '../platform/errors.js';
import { type RandomBytes, randomCharacters } from '../platform/random.js';
import { FairSemaphore, type FullQueue } from '../platform/fair-semaphore.js';
import { type PasswordOwner, whyGuessable } from './password-strength.js';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 200;

/** Whether a text is longer than any valid password. */
const isTooLong = (password: string): boolean => [...password].length > MAX_CHARACTERS;

/** The error if somebody chose a password that is not allowed. */
export class PasswordRejection extends ServiceError {
  constructor(message: string) {
    super('invalidRequest', message);
  }
}

/** Returns a password, or throws a PasswordRejection if it is too short or too long. */
export function checkPasswordLength(password: string): string {
  const { length } = [...password];
  if (length >= MIN_CHARACTERS && length <= MAX_CHARACTERS) return password;
  throw new PasswordRejection(
    `The password has ${length} characters. Choose one of ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters.`,
  );
}

/** Throws a PasswordRejection if a password is too short, too long or easy to guess. */
export async function checkPassword(password: string, owner: PasswordOwner): Promise<void> {
  checkPasswordLength(password);
  const why = await whyGuessable(password, owner);
  if (why === undefined) return;
  throw new PasswordRejection(
    `The password is easily guessed: it ${why}. Choose another, such as four or more unrelated words.`,
  );
}

/** Digits and letters without those that look alike: 0 and o, 1 and l and i. */
const READABLE_CHARACTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUP_COUNT = 5;
const GROUP_LENGTH = 4;

/** Generates a password that is easy to read aloud or type from paper: five groups of four characters, 99 bits. */
export const generatePassword = (randomBytes: RandomBytes): string =>
  Array.from({ length: GROUP_COUNT }, () =>
    randomCharacters(randomBytes, READABLE_CHARACTERS, GROUP_LENGTH),
  ).join('-');

interface ChosenPassword {
  readonly password: string;
  readonly isGenerated: boolean;
}

/**
 * Checks the given password, or generates one if none is given. Throws a PasswordRejection if the given one breaks the
 * rules.
 */
export async function choosePassword(
  password: string | undefined,
  owner: PasswordOwner,
  randomBytes: RandomBytes,
): Promise<ChosenPassword> {
  if (password === undefined) return { password: generatePassword(randomBytes), isGenerated: true };
  await checkPassword(password, owner);
  return { password, isGenerated: false };
}

/** The cost of hashing or verifying one password. */
export interface PasswordCost {
  readonly memoryKibibytes: number;
  readonly passes: number;
}

const DEFAULT_COST: PasswordCost = { memoryKibibytes: 19 * 1024, passes: 2 };
const SALT_BYTES = 16;

/** A salt and a hash, for accounts that do not exist. Nobody knows a password that matches them. */
const NOBODYS_SALT_AND_HASH = 'TXyK6vUYWFqf9EpkpTY80w$QnIvBit4dvIYSd/WC3e/V4ollGT1Brd/dnXcn2AnuDI';

/**
 * How many passwords are hashed or verified at a time. Each takes 19 MiB of memory, and one of the few threads that
 * file access also needs.
 */
const MAX_CONCURRENT = 2;
/** At 20 ms per hash, the last in the queue waits about five seconds. */
const MAX_WAITING = 500;
/** Allows many, because a whole office may be behind one address. */
const MAX_WAITING_OF_ADDRESS = 100;
const RETRY_AFTER_SECONDS = 5;

const TOO_MANY_WAITING: Readonly<Record<FullQueue, string>> = {
  caller: 'Too many passwords from your network address are being checked.',
  all: 'Too many people are signing in.',
};

/** How often hashing or verifying a password was rejected since the start, by the limit that was exceeded. */
export interface PasswordRejections {
  /** How often the limit for one address was exceeded. */
  readonly address: number;
  /** How often the limit for the whole queue was exceeded. */
  readonly queue: number;
}

/**
 * Hashes and verifies passwords with argon2id. Limits how many it handles at a time, so that a flood of sign-ins does
 * not take all threads of the process.
 */
export class PasswordHasher {
  readonly #rejected = { address: 0, queue: 0 };
  readonly #semaphore = new FairSemaphore({
    permits: MAX_CONCURRENT,
    maxWaiting: MAX_WAITING,
    maxWaitingOfCaller: MAX_WAITING_OF_ADDRESS,
    tooManyWaiting: (full) => {
      this.#rejected[full === 'caller' ? 'address' : 'queue'] += 1;
      return new ServiceError(
        'overloaded',
        `${TOO_MANY_WAITING[full]} Try again in ${RETRY_AFTER_SECONDS} seconds.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    },
  });

  readonly #cost: PasswordCost;

  constructor(cost: PasswordCost = DEFAULT_COST) {
    this.#cost = cost;
  }

  get rejected(): PasswordRejections {
    return { ...this.#rejected };
  }

  /**
   * Runs work that hashes or verifies a password as soon as a slot is free. Addresses take turns, so that nobody
   * waits behind everything that another address sent. Throws a ServiceError `overloaded` if too much is waiting.
   */
  run<Result>(addressSubject: string, work: () => Promise<Result>): Promise<Result> {
    return this.#semaphore.run(addressSubject, work);
  }

  /**
   * The hash of a password with a random salt, in the standard text form. A password with the same normal form (NFKC)
   * also matches the hash. Call it in `run`.
   */
  hash(password: string, randomBytes: RandomBytes): Promise<string> {
    const { memoryKibibytes: memoryCost, passes: timeCost } = this.#cost;
    const salt = randomBytes(SALT_BYTES);
    return argon2.hash(password.normalize('NFKC'), { memoryCost, timeCost, parallelism: 1, salt });
  }

  /**
   * Whether a password has this hash. If the hash is undefined or the password is longer than any valid one, returns
   * false after the same work, so that the duration reveals nothing. Call it in `run`.
   */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const isPossible = hash !== undefined && !isTooLong(password);
    const candidate = isTooLong(password) ? '' : password.normalize('NFKC');
    const { memoryKibibytes, passes } = this.#cost;
    const nobodys = `$argon2id$v=19$m=${memoryKibibytes},t=${passes},p=1$${NOBODYS_SALT_AND_HASH}`;
    const isRight = await argon2.verify(hash ?? nobodys, candidate);
    return isPossible && isRight;
  }
}
