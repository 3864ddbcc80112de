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
