import type { Account } from '../../../accounts/account.js';
import { findAccountById } from '../../../accounts/find-accounts.js';
import { ServiceError } from '../../../service-error.js';
import type { Database } from '../../../storage/storage.js';
import { formFields } from '../../form-fields.js';
import type { SignedInVisit } from '../../pages.js';

/** The account that the address of the page names; throws a ServiceError where there is none. */
export async function requireAccount(db: Database, visit: SignedInVisit): Promise<Account> {
  const { accountId } = formFields(visit.request.params, ['accountId']);
  const account = await findAccountById(db, accountId);
  if (account !== undefined) return account;
  throw new ServiceError('notFound', 'There is no such account. The list of accounts has all there are.');
}
