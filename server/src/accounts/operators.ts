import { ServiceError } from '../platform/errors.js';
import { type AccountRow, lockInstallation } from '../storage/rows.js';
import type { Database } from '../storage/storage.js';

/**
 * Throws a ServiceError if this account is the last enabled operator. Call this first in a transaction that removes an
 * operator: it makes concurrent ones wait for each other.
 */
export async function requireAnotherOperator(transaction: Database, accountId: string): Promise<void> {
  await lockInstallation(transaction);
  const operators = () => transaction<AccountRow>('accounts').where({ is_operator: true, disabled_at: null });
  const [own, other] = [
    await operators().where({ id: accountId }).first('id'),
    await operators().whereNot({ id: accountId }).first('id'),
  ];
  if (own === undefined || other !== undefined) return;
  throw new ServiceError(
    'invalidRequest',
    'This is the last enabled operator. Make another account an operator first, on its page or with ' +
      '"signpost account operator on --email E".',
  );
}

/** Makes an account an operator, or demotes it. Throws a ServiceError if it is the last enabled operator. */
export async function setOperator(
  transaction: Database,
  accountId: string,
  isOperator: boolean,
): Promise<void> {
  if (!isOperator) await requireAnotherOperator(transaction, accountId);
  await transaction<AccountRow>('accounts').where({ id: accountId }).update({ is_operator: isOperator });
}

/** The e-mails of all enabled operators. */
export const listOperatorEmails = async (db: Database): Promise<string[]> =>
  db<AccountRow>('accounts').where({ is_operator: true, disabled_at: null }).orderBy('email').pluck('email');
