import type { Pages } from '../pages.js';
import { addAccountPage } from './accounts/account-page.js';
import { addAccountsPage } from './accounts/accounts-page.js';
import { addDisableAccountPage } from './accounts/disable-account-page.js';
import { addNewAccount } from './accounts/new-account.js';
import { addNewPasswordPage } from './accounts/new-password-page.js';
import { addKeyLimits } from './keys/key-limits.js';
import { addRevokeKeyPage } from './keys/revoke-key-page.js';
import { addRemoveReturnUrlPage } from './return-urls/remove-return-url-page.js';
import { addReturnUrlsPage } from './return-urls/return-urls-page.js';
import { addServerStatePage } from './state/server-state-page.js';

/** Adds the pages that operators alone see. */
export function addOperatorPages(pages: Pages): void {
  addServerStatePage(pages);
  addAccountsPage(pages);
  addNewAccount(pages);
  addAccountPage(pages);
  addDisableAccountPage(pages);
  addNewPasswordPage(pages);
  addKeyLimits(pages);
  addRevokeKeyPage(pages);
  addReturnUrlsPage(pages);
  addRemoveReturnUrlPage(pages);
}
