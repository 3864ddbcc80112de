import type { DomainContext } from '../audit/domain-context.js';
import { ServiceError } from '../platform/errors.js';
import { type Limit, limitToColumn } from '../platform/limit.js';
import { lockAccount, lockInstallation } from '../storage/locks.js';
import type { AccountRow, RecoveryCodeRow, ReturnUrlConsentRow, SecondFactorRow } from '../storage/rows.js';
import { type Database, dialectOf, inTransaction } from '../storage/storage.js';
import { removeLinkOf } from './one-time-links.js';
import { removeSessionsOf } from './sessions.js';

const accounts = (db: Database) => db<AccountRow>('accounts');
const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off');

/** Describes an account's rights for the audit. */
export const rightsOf = (account: { readonly isOperator: boolean; readonly hasApiAccess: boolean }): string =>
  `operator ${onOrOff(account.isOperator)}, API access ${onOrOff(account.hasApiAccess)}`;

/**
 * Throws a ServiceError if this account is the last enabled operator. Call this first in a transaction that demotes,
 * disables or deletes an account: it makes such transactions wait for each other.
 */
export async function requireAnotherOperator(transaction: Database, accountId: string): Promise<void> {
  await lockInstallation(transaction);
  const operators = () => accounts(transaction).where({ is_operator: true, disabled_at: null });
  const thisOperator = await operators().where({ id: accountId }).first('id');
  const anotherOperator = await operators().whereNot({ id: accountId }).first('id');
  if (thisOperator === undefined || anotherOperator !== undefined) return;
  throw new ServiceError(
    'invalidRequest',
    'This is the last enabled operator. Make another account an operator first, on its page or with ' +
      '"signpost account operator on --email E".',
  );
}

/**
 * Makes an account an operator, or demotes it. Throws a ServiceError if this would demote the last enabled operator.
 */
export async function setOperator(
  { db, audit, actor }: DomainContext,
  accountId: string,
  isOperator: boolean,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    if (!isOperator) await requireAnotherOperator(transaction, accountId);
    await accounts(transaction).where({ id: accountId }).update({ is_operator: isOperator });
    const kind = `account.operator-${onOrOff(isOperator)}` as const;
    await audit.record(transaction, actor, { kind, subjectId: accountId });
  });
}

/** The e-mails of all enabled operators. */
export const listOperatorEmails = async (db: Database): Promise<string[]> =>
  accounts(db).where({ is_operator: true, disabled_at: null }).orderBy('email').pluck('email');

/** Enables an account. Its keys work again, except those that are revoked, expired or disabled themselves. */
export async function enableAccount({ db, audit, actor }: DomainContext, accountId: string): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await accounts(transaction).where({ id: accountId }).update({ disabled_at: null });
    await audit.record(transaction, actor, { kind: 'account.enabled', subjectId: accountId });
  });
}

/** Removes an account's consents to send tokens to sites, so that /apilogin asks the person again. */
async function removeConsentsOf(transaction: Database, accountId: string): Promise<void> {
  await transaction<ReturnUrlConsentRow>('return_url_consents').where({ account_id: accountId }).delete();
}

/**
 * Disables an account: rejects its keys and tokens from the next request on, and removes its sessions, its one-time
 * link, and its consents to send tokens to sites. If the account is already disabled, keeps the earlier time of
 * disabling. Throws a ServiceError if the account is the last enabled operator.
 */
export async function disableAccount(
  { db, clock, audit, actor }: DomainContext,
  accountId: string,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await requireAnotherOperator(transaction, accountId);
    await accounts(transaction)
      .where({ id: accountId })
      .whereNull('disabled_at')
      .update({ disabled_at: clock() });
    await removeSessionsOf(transaction, accountId);
    await removeLinkOf(transaction, accountId);
    await removeConsentsOf(transaction, accountId);
    await audit.record(transaction, actor, { kind: 'account.disabled', subjectId: accountId });
  });
}

/**
 * Allows an account to use tokens of interface B, or forbids it. Forbidding also removes the account's consents to send
 * tokens to sites.
 */
export async function setApiAccess(
  { db, audit, actor }: DomainContext,
  accountId: string,
  hasApiAccess: boolean,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await accounts(transaction).where({ id: accountId }).update({ has_api_access: hasApiAccess });
    if (!hasApiAccess) await removeConsentsOf(transaction, accountId);
    const kind = `account.api-access-${onOrOff(hasApiAccess)}` as const;
    await audit.record(transaction, actor, { kind, subjectId: accountId });
  });
}

/** Turns on or off the mails to an account's owner about daily limits that are nearly or wholly used up. */
export async function setAlerts(
  { db, audit, actor }: DomainContext,
  accountId: string,
  wantsAlerts: boolean,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await accounts(transaction).where({ id: accountId }).update({ alerts_off: !wantsAlerts });
    const kind = `account.alerts-${onOrOff(wantsAlerts)}` as const;
    await audit.record(transaction, actor, { kind, subjectId: accountId });
  });
}

/**
 * Sets whether the request log stores the page addresses in an account's requests. Turning that off removes the
 * addresses logged so far.
 */
export async function setPageLogging(
  { db, audit, actor }: DomainContext,
  accountId: string,
  logsPages: boolean,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await accounts(transaction).where({ id: accountId }).update({ logs_pages: logsPages });
    if (!logsPages) {
      // Makes writers of the request log wait until the transaction ends, so that none of them still stores an
      // address after reading the old setting. SQLite has only one writer anyway.
      if (dialectOf(transaction) === 'postgresql')
        await transaction.raw('LOCK TABLE request_log IN SHARE ROW EXCLUSIVE MODE');
      const keys = transaction('api_keys')
        .join('projects', 'projects.id', 'api_keys.project_id')
        .where('projects.account_id', accountId)
        .select('api_keys.id');
      await transaction('request_log').whereIn('key_id', keys).whereNotNull('pages').update({ pages: null });
    }
    const kind = `account.pages-${onOrOff(logsPages)}` as const;
    await audit.record(transaction, actor, { kind, subjectId: accountId });
  });
}

export interface NewAccountLimits {
  readonly captures?: Limit | undefined;
  readonly perMinute?: Limit | undefined;
  readonly perDay?: Limit | undefined;
}

/**
 * Changes the given limits and leaves the others. Request limits apply from the next request on, the capture limit
 * within seconds on every server.
 */
export async function setAccountLimits(
  { db, audit, actor }: DomainContext,
  accountId: string,
  limits: NewAccountLimits,
): Promise<void> {
  const { captures, perMinute, perDay } = limits;
  const changes = {
    ...(captures === undefined ? {} : { captures: limitToColumn(captures) }),
    ...(perMinute === undefined ? {} : { per_minute: limitToColumn(perMinute) }),
    ...(perDay === undefined ? {} : { per_day: limitToColumn(perDay) }),
  };
  await inTransaction(db, async (transaction) => {
    if (Object.keys(changes).length > 0) await accounts(transaction).where({ id: accountId }).update(changes);
    const detail = JSON.stringify(limits);
    await audit.record(transaction, actor, { kind: 'account.limited', subjectId: accountId, detail });
  });
}

/**
 * Removes the second factor of an account, which then signs in with only its password. Returns whether it had one.
 */
export async function removeSecondFactor(
  { db, audit, actor }: DomainContext,
  accountId: string,
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const wasOn = await lockAccount(transaction, { id: accountId, has_second_factor: true });
    await accounts(transaction).where({ id: accountId }).update({ has_second_factor: false });
    await transaction<SecondFactorRow>('second_factors').where({ account_id: accountId }).delete();
    await transaction<RecoveryCodeRow>('recovery_codes').where({ account_id: accountId }).delete();
    if (wasOn) await audit.record(transaction, actor, { kind: 'second-factor.off', subjectId: accountId });
    return wasOn;
  });
}
