import { accountPath } from '../accounts/account-paths.js';

/** Under which the actions on a key of an account are. */
export const keyPath = (accountId: string, keyId: number) => `${accountPath(accountId)}/keys/${keyId}`;
