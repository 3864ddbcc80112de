import { type Account, findAccountById } from '../../accounts/account.js';
import { findKeyOf } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import type { Database } from '../../storage/storage.js';
import { formFields } from '../layout/form-data.js';
import type { SignedInContext } from '../routing/page-router.js';

export const ACCOUNTS_PATH = '/operator/accounts';

/** The page of one account. */
export const accountPath = (accountId: string) => `${ACCOUNTS_PATH}/${encodeURIComponent(accountId)}`;

/** The page of one account, with another part of its keys. */
export const accountKeysPath = (accountId: string, page: number) => `${accountPath(accountId)}?page=${page}`;

/** One page of the list of accounts. */
export function accountsPath(search: string, page: number): string {
  const query = new URLSearchParams();
  if (search !== '') query.set('search', search);
  if (page !== 1) query.set('page', String(page));
  return query.size === 0 ? ACCOUNTS_PATH : `${ACCOUNTS_PATH}?${query}`;
}

/** Under which the actions on a key of an account are. */
export const accountKeyPath = (accountId: string, keyId: number) => `${accountPath(accountId)}/keys/${keyId}`;

/** Whether it is the account that the operator who looks at it is signed in with. */
export const isOwnAccount = ({ visitor }: SignedInContext, account: Account): boolean =>
  visitor.account.id === account.id;

/** The account that the address of the page names; throws a ServiceError where there is none. */
export async function requireAccount(db: Database, visit: SignedInContext): Promise<Account> {
  const { accountId } = formFields(visit.request.params, ['accountId']);
  const account = await findAccountById(db, accountId);
  if (account !== undefined) return account;
  throw new ServiceError('notFound', 'There is no such account. The list of accounts has all there are.');
}

/** The key of the account that the address of the page names; throws a ServiceError where there is none. */
export async function requireKey(db: Database, visit: SignedInContext, account: Account): Promise<Key> {
  const { keyId } = formFields(visit.request.params, ['keyId']);
  const key = /^[1-9]\d{0,9}$/u.test(keyId) ? await findKeyOf(db, account.id, Number(keyId)) : undefined;
  if (key === undefined) throw new ServiceError('notFound', `${account.email} has no such key.`);
  return key;
}
