import { z } from 'zod';
import { ServiceError } from '../service-error.js';

const maxCharacters = 254;
const maxLocalCharacters = 64;

/** Whether a text, in lower case and trimmed, is an e-mail address that an account can have. */
export const isEmail = (email: string): boolean =>
  email.length <= maxCharacters &&
  email.indexOf('@') <= maxLocalCharacters &&
  z.regexes.html5Email.test(email);

/**
 * An e-mail address as it is stored and compared: trimmed, in lower case. What browsers take as an address is
 * one, so that `operator@localhost` is.
 */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (isEmail(email)) return email;
  if (email.length > maxCharacters)
    throw new ServiceError('invalidRequest', `An e-mail address has at most ${maxCharacters} characters.`);
  throw new ServiceError('invalidRequest', `"${text}" is not an e-mail address such as "ada@example.org".`);
}
