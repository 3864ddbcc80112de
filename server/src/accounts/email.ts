import { z } from 'zod';
import { ServiceError } from '../service-error.js';

const maxCharacters = 254;
const maxLocalCharacters = 64;

/**
 * An e-mail address as it is stored and compared: trimmed, in lower case. What browsers take as an address is
 * one, so that `operator@localhost` is.
 */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  const isAddress = z.regexes.html5Email.test(email) && email.indexOf('@') <= maxLocalCharacters;
  if (isAddress && email.length <= maxCharacters) return email;
  throw new ServiceError('invalidRequest', `"${text}" is not an e-mail address such as "ada@example.org".`);
}
