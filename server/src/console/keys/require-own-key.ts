import { findKeyOf } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../service-error.js';
import type { Database } from '../../storage/storage.js';
import { formFields } from '../form-fields.js';
import type { SignedInVisit } from '../pages.js';

/**
 * The key that the address of the page names, live or revoked. Throws the same ServiceError for another account's
 * key as for one that there is not.
 */
export async function requireOwnKey(db: Database, { request, visitor }: SignedInVisit): Promise<Key> {
  const { keyId } = formFields(request.params, ['keyId']);
  const key = /^[1-9]\d{0,9}$/u.test(keyId)
    ? await findKeyOf(db, visitor.account.id, Number(keyId))
    : undefined;
  if (key === undefined)
    throw new ServiceError('notFound', 'You have no such key. Yours are in the overview.');
  return key;
}
