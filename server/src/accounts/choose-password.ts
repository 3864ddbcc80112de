import type { RandomBytes } from '../random-bytes.js';
import { checkPassword } from './check-password.js';
import { generatePassword } from './generate-password.js';

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
