import { ServiceError } from '../service-error.js';

const maxCharacters = 100;

/** A name as people write it, trimmed; `subject` says in the error what is to be named. */
export function checkDisplayName(subject: string, text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '' || [...name].length > maxCharacters) {
    throw new ServiceError('invalidRequest', `${subject} must have 1 to ${maxCharacters} characters.`);
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new ServiceError('invalidRequest', `${subject} must be one line without control characters.`);
  }
  return name;
}
