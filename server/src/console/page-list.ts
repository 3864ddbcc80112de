import { addKeyPage } from './keys/key-page.js';
import { addNewKey } from './keys/new-key-page.js';
import { addRevokeOwnKeyPage } from './keys/revoke-key-page.js';
import { formFields } from './layout/form-data.js';
import { addAccountPage, addKeyLimits } from './operator/account-page.js';
import { addAccountsPage } from './operator/accounts-page.js';
import { addDisableAccountPage } from './operator/disable-account-page.js';
import { addNewAccount } from './operator/new-account-page.js';
import { addNewPasswordPage } from './operator/new-password-page.js';
import { addRemoveReturnUrlPage } from './operator/remove-return-url-page.js';
import { addReturnUrlsPage } from './operator/return-urls-page.js';
import { addRevokeKeyPage } from './operator/revoke-account-key-page.js';
import { addServerStatePage } from './operator/server-state-page.js';
import { addNewProject } from './overview/new-project-page.js';
import { addOverviewPage } from './overview/overview-page.js';
import type { PageRouter } from './routing/page-router.js';
import { addRegeneratePage } from './tokens/regenerate-token-page.js';
import { addTokenLoginPage } from './tokens/token-login-page.js';
import { addTokenPage } from './tokens/token-page.js';

/** Adds the overview and what is made from it. */
export function addOverviewPages(pages: PageRouter): void {
  addOverviewPage(pages);
  addNewProject(pages);
}

/** Adds what people do with their own keys. */
export function addKeyPages(pages: PageRouter): void {
  addNewKey(pages);
  addKeyPage(pages);
  addRevokeOwnKeyPage(pages);
}

/** The pages about access and refresh tokens. */
export function addTokenPages(pages: PageRouter): void {
  addTokenPage(pages);
  addRegeneratePage(pages);
  addTokenLoginPage(pages);
}

/** Adds the pages that operators alone see. */
export function addOperatorPages(pages: PageRouter): void {
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

/** Where the address of a form leads that is opened by hand: browsers show it after the form was sent. */
const LEADS_TO: Readonly<Record<string, string>> = {
  '/signout': '/',
  '/projects': '/overview',
  '/projects/:projectId/keys': '/overview',
  '/apilogin/other-account': '/overview',
};
const OF_AN_ACCOUNT = ['api-access', 'enable', 'keys/:keyId/limits'];

/** Answers the addresses to which forms are only sent. */
export function addReloadedPages(pages: PageRouter): void {
  for (const [path, target] of Object.entries(LEADS_TO)) {
    pages.open('GET', path, (visit) => visit.redirect(target));
  }
  for (const rest of OF_AN_ACCOUNT) {
    pages.operator('GET', `/operator/accounts/:accountId/${rest}`, (visit) => {
      const { accountId } = formFields(visit.request.params, ['accountId']);
      return visit.redirect(`/operator/accounts/${encodeURIComponent(accountId)}`);
    });
  }
}
