import type { Account } from '../../../accounts/account.js';
import type { SignedInVisit } from '../../pages.js';

/** Whether it is the account that the operator who looks at it is signed in with. */
export const isOwnAccount = ({ visitor }: SignedInVisit, account: Account): boolean =>
  visitor.account.id === account.id;
