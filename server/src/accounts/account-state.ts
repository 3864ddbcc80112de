import type { Clock } from '../platform/clock.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import {
  type AccountRow,
  lockAccount,
  type RecoveryCodeRow,
  type ReturnUrlConsentRow,
  type SecondFactorRow,
} from '../storage/rows.js';
import { type Database, dialectOf } from '../storage/storage.js';
import { removeLinkOf } from './one-time-links.js';
import { removeSessionsOf } from './session-store.js';

/** Enables an account. Its keys work again. */
export async function enableAccount(db: Database, accountId: string): Promise<void> {
  await db<AccountRow>('accounts').where({ id: accountId }).update({ disabled_at: null });
}

/**
 * Disables an account: rejects its keys and tokens from the next request on, and ends its sessions. Keeps the time of
 * an earlier disabling.
 */
export async function disableAccount(db: Database, accountId: string, clock: Clock): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction<AccountRow>('accounts')
      .where({ id: accountId })
      .whereNull('disabled_at')
      .update({ disabled_at: clock() });
    await removeSessionsOf(transaction, accountId);
    await removeLinkOf(transaction, accountId);
    await removeConsentsOf(transaction, accountId);
  });
}

/** Makes /apilogin ask the account again before it sends a token to any site. */
async function removeConsentsOf(transaction: Database, accountId: string): Promise<void> {
  await transaction<ReturnUrlConsentRow>('return_url_consents').where({ account_id: accountId }).delete();
}

/** Turns the use of interface B's tokens on, or turns it off and ends the account's consents. In a transaction. */
export async function setApiAccess(
  transaction: Database,
  accountId: string,
  hasApiAccess: boolean,
): Promise<void> {
  await transaction<AccountRow>('accounts').where({ id: accountId }).update({ has_api_access: hasApiAccess });
  if (!hasApiAccess) await removeConsentsOf(transaction, accountId);
}

/** Turns mails about nearly used-up daily limits on or off. */
export async function setAlerts(db: Database, accountId: string, wantsAlerts: boolean): Promise<void> {
  await db<AccountRow>('accounts').where({ id: accountId }).update({ alerts_off: !wantsAlerts });
}

/** Makes writers of the request log wait until the transaction ends. SQLite has only one writer anyway. */
async function holdRequestLog(transaction: Database): Promise<void> {
  if (dialectOf(transaction) === 'postgresql')
    await transaction.raw('LOCK TABLE request_log IN SHARE ROW EXCLUSIVE MODE');
}

/**
 * Turns the logging of requested page addresses on or off. Turning it off removes the logged ones. In a transaction,
 * so that no concurrent work that read the old state can store one.
 */
export async function setPageLogging(
  transaction: Database,
  accountId: string,
  logsPages: boolean,
): Promise<void> {
  await transaction<AccountRow>('accounts').where({ id: accountId }).update({ logs_pages: logsPages });
  if (logsPages) return;
  await holdRequestLog(transaction);
  const keys = transaction('api_keys')
    .join('projects', 'projects.id', 'api_keys.project_id')
    .where('projects.account_id', accountId)
    .select('api_keys.id');
  await transaction('request_log').whereIn('key_id', keys).whereNotNull('pages').update({ pages: null });
}

export interface NewAccountLimits {
  readonly captures?: Limit | undefined;
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
}

/**
 * Changes the given limits and leaves the others. Limits of requests take effect with the next request, the limit of
 * captures within seconds on every server.
 */
export async function setAccountLimits(
  db: Database,
  accountId: string,
  { captures, perMinute, perDay }: NewAccountLimits,
): Promise<void> {
  const changes = {
    ...(captures === undefined ? {} : { captures: limitToColumn(captures) }),
    ...(perMinute === undefined ? {} : { per_minute: limitToColumn(perMinute) }),
    ...(perDay === undefined ? {} : { per_day: limitToColumn(perDay) }),
  };
  if (Object.keys(changes).length === 0) return;
  await db<AccountRow>('accounts').where({ id: accountId }).update(changes);
}

/**
 * Removes the second factor of an account, which then signs in with only its password. Returns whether it had one.
 */
export async function removeSecondFactor(db: Database, accountId: string): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const wasOn = await lockAccount(transaction, { id: accountId, has_second_factor: true });
    await transaction<AccountRow>('accounts').where({ id: accountId }).update({ has_second_factor: false });
    await transaction<SecondFactorRow>('second_factors').where({ account_id: accountId }).delete();
    await transaction<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId }).delete();
    return wasOn;
  });
}
