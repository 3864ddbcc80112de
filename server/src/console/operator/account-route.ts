import { type Account, findAccountById } from '../../accounts/account.js';
import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import { findKeyNamed } from '../keys/own-key.js';
import { formFields } from '../layout/form-data.js';
import type { PageContext, SignedInContext } from '../routing/page-context.js';

export const ACCOUNTS_PATH = '/operator/accounts';

export const accountPath = (accountId: string) => `${ACCOUNTS_PATH}/${encodeURIComponent(accountId)}`;

export const ALL_KEYS_PATH = '/operator/keys';
export const ALL_PROJECTS_PATH = '/operator/projects';

/** The path of the page about the postcode directory and its imports. */
export const DIRECTORY_PATH = '/operator/directory';

/** The path of the page with the health checks, and the accounts that have captures running or waiting. */
export const HEALTH_PATH = '/operator/health';

/** The path of the page for sign-up, backups, and the keys that sign and encrypt. */
export const MAINTENANCE_PATH = '/operator/maintenance';

export const AUDIT_PATH = '/operator/audit';

export const auditOfAccountPath = (accountId: string) =>
  `${AUDIT_PATH}?account=${encodeURIComponent(accountId)}`;

export const accountKeyPath = (accountId: string, keyId: number | string) =>
  `${accountPath(accountId)}/keys/${encodeURIComponent(keyId)}`;

/** The path of the page on which operators see a key and its latest requests. */
export const requestsPath = (accountId: string, keyId: number | string) =>
  `${accountKeyPath(accountId, keyId)}/requests`;

export const ALL_USAGE_PATH = '/operator/usage';

export const usageOfAccountPath = (accountId: string) =>
  `${ALL_USAGE_PATH}?account=${encodeURIComponent(accountId)}`;

/**
 * The path of the page of the account whose id is in the request's path: /operator/accounts/ID for
 * /operator/accounts/ID/enable.
 */
export const accountPathOf = ({ request }: PageContext): string =>
  accountPath(formFields(request.params, ['accountId']).accountId);

export const isOwnAccount = ({ user }: SignedInContext, account: Account): boolean =>
  user.account.id === account.id;

/** The account in the request's path. Throws a ServiceError if it does not exist. */
export async function requireAccount({ request, domain }: SignedInContext): Promise<Account> {
  const { accountId } = formFields(request.params, ['accountId']);
  const account = await findAccountById(domain, accountId);
  if (account !== undefined) return account;
  throw new ServiceError('notFound', 'There is no such account. The list of accounts shows them all.');
}

/** The key in the request's path. Throws a ServiceError if the account has no such key. */
export async function requireKey({ request, domain }: SignedInContext, account: Account): Promise<Key> {
  const key = await findKeyNamed(domain, account.id, formFields(request.params, ['keyId']).keyId);
  if (key === undefined) throw new ServiceError('notFound', `${account.email} has no such key.`);
  return key;
}
