import { formFields } from './form-fields.js';
import type { Pages } from './pages.js';

/** Where the address of a form leads that is opened by hand: browsers show it after the form was sent. */
const LEADS_TO: Readonly<Record<string, string>> = {
  '/signout': '/',
  '/projects': '/overview',
  '/projects/:projectId/keys': '/overview',
  '/apilogin/other-account': '/overview',
};
const OF_AN_ACCOUNT = ['api-access', 'enable', 'keys/:keyId/limits'];

/** Answers the addresses to which forms are only sent. */
export function addReloadedPages(pages: Pages): void {
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
