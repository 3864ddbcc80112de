import { ServiceError } from '../service-error.js';

const minCharacters = 12;
const maxCharacters = 200;

/** Whether a text has more characters than any password. */
export const isTooLong = (password: string): boolean => [...password].length > maxCharacters;

/** Throws a ServiceError where a password is too short or too long; there are no other rules. */
export function checkPassword(password: string): void {
  const { length } = [...password];
  if (length >= minCharacters && length <= maxCharacters) return;
  throw new ServiceError(
    'invalidRequest',
    `The password has ${length} characters. Choose one of ${minCharacters} to ${maxCharacters} characters.`,
  );
}
