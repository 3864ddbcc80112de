import { parseLimit } from '../../../limit.js';
import { setLimits } from '../../../keys/set-limits.js';
import { fieldProblems, formFields } from '../../form-fields.js';
import type { Pages } from '../../pages.js';
import { accountPath } from '../accounts/account-paths.js';
import { requireAccount } from '../accounts/require-account.js';
import { showAccount } from '../accounts/show-account.js';
import { requireKey } from './require-key.js';

/** POST …/limits: changes both limits of a key, or says of each what is wrong with it. */
export function addKeyLimits(pages: Pages): void {
  const { parts } = pages;
  pages.operator('POST', '/operator/accounts/:accountId/keys/:keyId/limits', async (visit) => {
    const account = await requireAccount(parts.db, visit);
    const key = await requireKey(parts.db, visit, account);
    if (key.revokedAtMs !== null) return visit.redirect(`${accountPath(account.id)}?done=was-revoked`);
    const { perMinute, perDay } = formFields(visit.request.body, ['perMinute', 'perDay']);
    const problems = fieldProblems({
      perMinute: () => parseLimit(perMinute),
      perDay: () => parseLimit(perDay),
    });
    if (problems !== undefined) {
      return showAccount(visit, parts, account, { key: { keyId: key.id, perMinute, perDay, problems } });
    }
    await setLimits(parts.db, key.id, { perMinute: parseLimit(perMinute), perDay: parseLimit(perDay) });
    return visit.redirect(`${accountPath(account.id)}?done=limits&key=${key.id}`);
  });
}
