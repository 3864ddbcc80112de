import { ServiceError } from '../platform/errors.js';
import { HOUR_MS } from '../platform/time-units.js';
import { type AccountRow, lockAccount } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { normaliseEmail } from './account.js';
import { type ChangePasswordDeps, type CurrentPassword, verifyCurrent } from './change-password.js';
import { checkDisplayName } from '../platform/display-name.js';
import { removeLinkOf } from './one-time-links.js';

/** Changes the name of an account. A blank name removes it. */
export async function renameAccount(db: Database, accountId: string, text: string): Promise<void> {
  const name = text.trim() === '' ? null : checkDisplayName('The name', text);
  await db<AccountRow>('accounts').where({ id: accountId }).update({ name });
}

const MAX_CHANGES_OF_HOUR = 10;

export interface EmailChange extends CurrentPassword {
  readonly email: string;
}

/**
 * Changes the e-mail that an account signs in with. Throws a ServiceError if it is not valid or another account has
 * it, or if the password is wrong or was wrong too often.
 */
export async function changeEmail(
  deps: ChangePasswordDeps,
  { email: text, ...currentPassword }: EmailChange,
  alsoStore: (transaction: Database) => Promise<void>,
): Promise<void> {
  const { db } = deps;
  const { accountId } = currentPassword;
  const email = normaliseEmail(text);
  // Limits how many addresses somebody can test for having an account.
  const changes = { subject: `e-mail of ${accountId}`, maxTries: MAX_CHANGES_OF_HOUR, windowMs: HOUR_MS };
  const { email: before, password_hash: hash } = await verifyCurrent(deps, currentPassword, [changes]);
  if (email === before)
    throw new ServiceError('invalidRequest', 'This account already has that e-mail. Enter another one.');
  await db.transaction(async (transaction) => {
    if (!(await lockAccount(transaction, { id: accountId, password_hash: hash })))
      throw new ServiceError('unauthorized', 'The password has just been changed. Sign in again.');
    const accounts = () => transaction<AccountRow>('accounts');
    if ((await accounts().where({ email }).first('id')) !== undefined)
      throw new ServiceError(
        'invalidRequest',
        `An account with the e-mail "${email}" already exists. Choose another e-mail.`,
      );
    await accounts().where({ id: accountId }).update({ email });
    // Somebody who reads the mail of the old address may no longer be the owner.
    await removeLinkOf(transaction, accountId);
    await alsoStore(transaction);
  });
}
