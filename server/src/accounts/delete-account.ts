import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import type { AccountRow } from '../storage/rows.js';
import { type Database, dialectOf, inTransaction } from '../storage/storage.js';
import type { AccountContext } from './account-context.js';
import { requireAnotherOperator } from './account-state.js';
import { verifyPassword } from './change-password.js';

/**
 * Tables with rows of an account that the database does not delete with the account. Delete the account's API keys
 * first, because they refer to rows of `projects`.
 */
const TABLES_OF_ACCOUNT = ['sessions', 'refresh_tokens', 'projects'];
const TABLES_OF_KEY = ['usage_minutes', 'usage_days', 'usage_counts', 'request_log'];

/**
 * Makes writers of usage counts and of the request log wait until the transaction ends. Otherwise they could add rows
 * for deleted keys, or deadlock with the deletion of the keys. SQLite has only one writer anyway.
 */
async function pauseCounting(transaction: Database): Promise<void> {
  if (dialectOf(transaction) === 'postgresql')
    await transaction.raw('LOCK TABLE usage_days, usage_counts, request_log IN SHARE ROW EXCLUSIVE MODE');
}

/**
 * Deletes an account and its rows in other tables, in a transaction. The audit entries stay, and keep the account's id.
 */
async function removeRows(transaction: Database, accountId: string): Promise<void> {
  const projects = () => transaction('projects').where({ account_id: accountId });
  await projects().forUpdate().select('id');
  const keys = () => transaction('api_keys').whereIn('project_id', projects().select('id'));
  await pauseCounting(transaction);
  for (const table of TABLES_OF_KEY) {
    await transaction(table).whereIn('key_id', keys().select('id')).delete();
  }
  await keys().delete();
  for (const table of TABLES_OF_ACCOUNT) await transaction(table).where({ account_id: accountId }).delete();
  await transaction<AccountRow>('accounts').where({ id: accountId }).delete();
}

/**
 * Deletes an account with its projects, keys, usage, tokens and sessions, and erases its network addresses in the
 * audit. Throws a ServiceError if the account is the last enabled operator, if there is no such account, or if
 * `verifiedHash` is given but is no longer the hash of its password.
 */
export async function deleteAccount(
  { db, audit, actor }: DomainContext,
  accountId: string,
  verifiedHash?: string,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await requireAnotherOperator(transaction, accountId);
    const verified = verifiedHash === undefined ? {} : { password_hash: verifiedHash };
    // Prevents new rows that refer to the account, such as a project that is created at the same time.
    const row = await transaction<AccountRow>('accounts')
      .where({ id: accountId, ...verified })
      .forUpdate()
      .first('id');
    if (row === undefined)
      throw new ServiceError(
        'unauthorized',
        'The password or the account has just been changed. Sign in again.',
      );
    await removeRows(transaction, accountId);
    await audit.eraseAddresses(transaction, accountId);
    const nameless = actor.accountId === accountId ? { ...actor, address: null } : actor;
    await audit.record(transaction, nameless, { kind: 'account.deleted', subjectId: accountId });
  });
}

/**
 * Deletes an account, if `current` is its password. Throws the ServiceErrors of `verifyPassword` and `deleteAccount`.
 */
export async function deleteOwnAccount(
  context: AccountContext,
  accountId: string,
  current: string,
): Promise<void> {
  const { password_hash: hash } = await verifyPassword(context, accountId, current);
  await deleteAccount(context, accountId, hash);
}
