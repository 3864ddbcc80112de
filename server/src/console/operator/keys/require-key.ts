import type { Account } from '../../../accounts/account.js';
import { findKeyOf } from '../../../keys/find-keys.js';
import type { Key } from '../../../keys/key.js';
import { ServiceError } from '../../../service-error.js';
import type { Database } from '../../../storage/storage.js';
import { formFields } from '../../form-fields.js';
import type { SignedInVisit } from '../../pages.js';

/** The key of the account that the address of the page names; throws a ServiceError where there is none. */
export async function requireKey(db: Database, visit: SignedInVisit, account: Account): Promise<Key> {
  const { keyId } = formFields(visit.request.params, ['keyId']);
  const key = /^[1-9]\d{0,9}$/u.test(keyId) ? await findKeyOf(db, account.id, Number(keyId)) : undefined;
  if (key === undefined) throw new ServiceError('notFound', `${account.email} has no such key.`);
  return key;
}
