import { enableAccount } from '../../../accounts/enable-account.js';
import { setAccountLimits } from '../../../accounts/set-account-limits.js';
import { setApiAccess } from '../../../accounts/set-api-access.js';
import { MIN_CAPTURES, parseLimit } from '../../../limit.js';
import { ServiceError } from '../../../service-error.js';
import { fieldProblems, formFields } from '../../form-fields.js';
import type { Pages } from '../../pages.js';
import { accountPath } from './account-paths.js';
import { requireAccount } from './require-account.js';
import { showAccount } from './show-account.js';

/** One account, and what is done to it at once because it can be taken back at once. */
export function addAccountPage(pages: Pages): void {
  const { parts } = pages;
  const { db } = parts;

  pages.operator('GET', '/operator/accounts/:accountId', async (visit) =>
    showAccount(visit, parts, await requireAccount(db, visit)),
  );

  pages.operator('POST', '/operator/accounts/:accountId/api-access', async (visit) => {
    const account = await requireAccount(db, visit);
    const { state } = formFields(visit.request.body, ['state']);
    if (state !== 'on' && state !== 'off') {
      throw new ServiceError('invalidRequest', 'The state of API access must be "on" or "off".');
    }
    await setApiAccess(db, account.id, state === 'on');
    return visit.redirect(`${accountPath(account.id)}?done=api-access-${state}`);
  });

  pages.operator('POST', '/operator/accounts/:accountId/limits', async (visit) => {
    const account = await requireAccount(db, visit);
    const { captures } = formFields(visit.request.body, ['captures']);
    const limit = () => parseLimit(captures, MIN_CAPTURES);
    const problems = fieldProblems({ captures: limit });
    if (problems !== undefined)
      return showAccount(visit, parts, account, { account: { captures, problems } });
    await setAccountLimits(db, account.id, { captures: limit() });
    return visit.redirect(`${accountPath(account.id)}?done=captures`);
  });

  pages.operator('POST', '/operator/accounts/:accountId/enable', async (visit) => {
    const account = await requireAccount(db, visit);
    await enableAccount(db, account.id);
    return visit.redirect(`${accountPath(account.id)}?done=enabled`);
  });
}
