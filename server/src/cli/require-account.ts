import type { Account } from '../accounts/account.js';
import { findAccount, listAccounts } from '../accounts/find-accounts.js';
import { closest } from '../closest.js';
import { ServiceError } from '../service-error.js';
import type { Database } from '../storage/storage.js';

/** The account with this e-mail; throws a ServiceError that names the one that was probably meant. */
export async function requireAccount(db: Database, email: string): Promise<Account> {
  const account = await findAccount(db, email);
  if (account !== undefined) return account;
  const near = closest(
    email,
    (await listAccounts(db)).map((known) => known.email),
  );
  const meant = near === undefined ? '.' : `: did you mean "${near}"?`;
  throw new ServiceError(
    'invalidRequest',
    `There is no account with the e-mail "${email}"${meant} "signpost account list" shows them all.`,
  );
}
