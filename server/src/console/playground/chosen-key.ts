import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../service-error.js';

/** The key that a form names; refuses what is not among the visitor's own. */
export function chosenKey(keys: readonly Key[], sent: string): Key {
  const key = keys.find(({ id }) => String(id) === sent);
  if (key === undefined)
    throw new ServiceError('invalidRequest', 'Choose one of your own keys that are not revoked.');
  return key;
}
