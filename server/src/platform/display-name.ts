import { ServiceError } from './errors.js';

const MAX_CHARACTERS = 100;
/** Characters that names must not have. Joiners are allowed, because some languages and emoji need them. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/**
 * Returns the name, trimmed and in Unicode's form NFC. Throws a ServiceError, in which `subject` names the field, if
 * the name is empty, has more than MAX_CHARACTERS, or contains CONTROLS.
 */
export function checkDisplayName(subject: string, text: string): string {
  const name = text.trim().normalize('NFC');
  if (name === '' || [...name].length > MAX_CHARACTERS) {
    throw new ServiceError('invalidRequest', `${subject} must have 1 to ${MAX_CHARACTERS} characters.`);
  }
  if (CONTROLS.test(name)) {
    throw new ServiceError(
      'invalidRequest',
      `${subject} must be one line without control characters, such as those that change the direction of text.`,
    );
  }
  return name;
}

/** Like `checkDisplayName`, for a person's name that may be empty. */
export const checkOptionalName = (text: string): string =>
  text.trim() === '' ? '' : checkDisplayName('The name', text);
