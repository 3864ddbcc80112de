import { confirmPasswordPage } from './accounts/confirm-password-page.js';
import { activityPage } from './accounts/activity-page.js';
import { deleteOwnAccountPage } from './accounts/delete-own-account-page.js';
import { forgotPasswordPage } from './accounts/forgot-password-page.js';
import { oneTimeLinkPage } from './accounts/one-time-link-page.js';
import { passwordPage } from './accounts/password-page.js';
import { recoveryCodesPage } from './accounts/recovery-codes-page.js';
import { requestAccessPage } from './accounts/request-access-page.js';
import { signInCodePage } from './accounts/sign-in-code-page.js';
import { signInPage, signOutPage } from './accounts/sign-in-page.js';
import { signUpPage } from './accounts/sign-up-page.js';
import { authorizePage } from './connections/authorize-page.js';
import { withdrawSitePage } from './accounts/allowed-sites.js';
import { assistantsPage } from './connections/assistants-page.js';
import { endConnectionPage } from './connections/connections-page.js';
import { frontPage } from './front/front-page.js';
import { higherLimitsPage } from './keys/higher-limits-page.js';
import { keysPage } from './keys/keys-page.js';
import { newKeyPage } from './keys/new-key-page.js';
import { replaceKeyPage } from './keys/replace-key-page.js';
import { linksPage } from './links/links-page.js';
import type { MenuEntry } from './layout/page-state.js';
import { accountsPage } from './operator/accounts-page.js';
import { allKeysPage } from './operator/all-keys-page.js';
import { allProjectsPage } from './operator/all-projects-page.js';
import { allUsagePage } from './operator/all-usage-page.js';
import { healthPage } from './operator/health-page.js';
import { serverStatePage } from './operator/server-state-page.js';
import { deleteProjectPage } from './overview/delete-project-page.js';
import { overviewPage } from './overview/overview-page.js';
import { projectsPage } from './overview/projects-page.js';
import { referencePage } from './reference/reference-page.js';
import type { Page } from './routing/page.js';
import { searchPage } from './search/search-page.js';
import { askForApiAccessPage } from './tokens/api-access.js';
import { regenerateTokenPage } from './tokens/regenerate-token-page.js';
import { tokenPage } from './tokens/token-page.js';
import { keyRequestsPage, requestPage, requestsPage } from './usage/requests-page.js';
import { usagePage } from './usage/usage-page.js';
import { welcomePage } from './welcome/welcome-page.js';
import { ownAccountPages } from './accounts/account-page.js';
import { secondFactorPages } from './accounts/second-factor-page.js';
import { projectPages } from './overview/project-page.js';
import { keyPages } from './keys/key-page.js';
import { tokenLoginPages } from './tokens/token-login-page.js';
import { operationPages } from './reference/operation-page.js';
import { documentPages } from './documents/documents-page.js';
import { inboxPages } from './operator/inbox-page.js';
import { directoryPages } from './operator/directory-page.js';
import { accountPages } from './operator/account-page.js';
import { accountConfirmations } from './operator/account-confirmations.js';
import { accountKeyPages } from './operator/account-key-page.js';
import { returnUrlPages } from './operator/return-urls-page.js';
import { auditPages } from './operator/audit-page.js';
import { maintenancePages } from './operator/maintenance-page.js';

/** Every page. The menus show those with a label, in this order. */
export const PAGES: readonly Page[] = [
  frontPage,
  signInPage,
  signInCodePage,
  signUpPage,
  requestAccessPage,
  forgotPasswordPage,
  oneTimeLinkPage,
  signOutPage,
  ...ownAccountPages,
  passwordPage,
  confirmPasswordPage,
  ...secondFactorPages,
  recoveryCodesPage,
  activityPage,
  endConnectionPage,
  withdrawSitePage,
  authorizePage,
  deleteOwnAccountPage,
  welcomePage,
  overviewPage,
  searchPage,
  projectsPage,
  ...projectPages,
  deleteProjectPage,
  keysPage,
  newKeyPage,
  ...keyPages,
  replaceKeyPage,
  higherLimitsPage,
  usagePage,
  requestsPage,
  requestPage,
  keyRequestsPage,
  assistantsPage,
  linksPage,
  tokenPage,
  askForApiAccessPage,
  regenerateTokenPage,
  ...tokenLoginPages,
  referencePage,
  ...operationPages,
  ...documentPages,
  serverStatePage,
  ...inboxPages,
  healthPage,
  ...directoryPages,
  allUsagePage,
  accountsPage,
  ...accountPages,
  allProjectsPage,
  allKeysPage,
  ...accountConfirmations,
  ...accountKeyPages,
  ...returnUrlPages,
  ...auditPages,
  ...maintenancePages,
];

export const MENU: readonly MenuEntry[] = PAGES.flatMap(({ path, menuLabel, access }) =>
  menuLabel === undefined ? [] : [{ path, label: menuLabel, access }],
);
