import type { RandomBytes } from '../random-bytes.js';
import type { AccountRow } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';
import { choosePassword } from './choose-password.js';
import { hashPassword } from './hash-password.js';
import { removeSessionsOf } from './remove-sessions.js';

/**
 * Gives an account another password: the given one, or one that is made and that its owner must change. Answers the
 * made one, to be shown this once. All sessions of the account end. Throws a ServiceError where the given one breaks the rules.
 */
export async function setPassword(
  db: Database,
  accountId: string,
  given: string | undefined,
  randomBytes: RandomBytes,
): Promise<string | undefined> {
  const { password, isGenerated } = choosePassword(given, randomBytes);
  const hash = await hashPassword(password, randomBytes);
  await db.transaction(async (transaction) => {
    await transaction<AccountRow>('accounts')
      .where({ id: accountId })
      .update({ password_hash: hash, must_change_password: isGenerated });
    await removeSessionsOf(transaction, accountId);
  });
  return isGenerated ? password : undefined;
}
