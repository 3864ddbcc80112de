import { ServiceError } from '../platform/errors.js';
import type { AccountRow } from '../storage/rows.js';
import { type Database, dialectOf } from '../storage/storage.js';
import { requireAnotherOperator } from './operators.js';

/** Tables whose rows are an account's, by their `account_id`; `projects` come last, after the keys in them. */
const TABLES_OF_ACCOUNT = ['sessions', 'refresh_tokens', 'projects'];
const TABLES_OF_KEY = ['usage_minutes', 'usage_days', 'usage_counts', 'request_log'];

/**
 * Makes counting wait until the transaction ends: what is counted meanwhile would leave rows of keys that are no more, or
 * wait in a circle with their deletion. SQLite has one writer at a time anyhow.
 */
async function holdCounting(transaction: Database): Promise<void> {
  if (dialectOf(transaction) === 'postgresql')
    await transaction.raw('LOCK TABLE usage_days, usage_counts, request_log IN SHARE ROW EXCLUSIVE MODE');
}

/**
 * Removes an account in a transaction, with all that is its own: projects, keys, usage, tokens, sessions. Throws a
 * ServiceError where it is the last operator that is enabled, or where its password has no longer the hash that was
 * verified.
 */
export async function deleteAccount(
  transaction: Database,
  accountId: string,
  verifiedHash?: string,
): Promise<void> {
  await requireAnotherOperator(transaction, accountId);
  const verified = verifiedHash === undefined ? {} : { password_hash: verifiedHash };
  // Locked against rows that would refer to it, such as the project of a form that is sent at the same time.
  const row = await transaction<AccountRow>('accounts')
    .where({ id: accountId, ...verified })
    .forUpdate()
    .first('id');
  if (row === undefined) {
    throw new ServiceError(
      'unauthorized',
      'The password or the account has just been changed. Sign in again.',
    );
  }
  const projects = () => transaction('projects').where({ account_id: accountId });
  await projects().forUpdate().select('id');
  const keys = () => transaction('api_keys').whereIn('project_id', projects().select('id'));
  await holdCounting(transaction);
  for (const table of TABLES_OF_KEY) {
    await transaction(table).whereIn('key_id', keys().select('id')).delete();
  }
  await keys().delete();
  for (const table of TABLES_OF_ACCOUNT) await transaction(table).where({ account_id: accountId }).delete();
  await transaction<AccountRow>('accounts').where({ id: accountId }).delete();
}
