import { revokeKey } from '../../keys/change-key.js';
import type { PageRouter } from '../routing/page-router.js';
import { accountKeyPath, accountPath, requireAccount, requireKey } from './account-route.js';
import { Confirmation } from '../layout/form.js';
import { OperatorTabs } from './operator-tabs.js';

const PATH = '/operator/accounts/:accountId/keys/:keyId/revoke';

/** Asks before a key is revoked, and revokes it. */
export function addRevokeKeyPage(pages: PageRouter): void {
  const { db, clock } = pages.parts;

  pages.operator('GET', PATH, async (visit) => {
    const account = await requireAccount(db, visit);
    const key = await requireKey(db, visit, account);
    if (key.revokedAtMs !== null) return visit.redirect(`${accountPath(account.id)}?done=was-revoked`);
    return visit.page(
      { title: `Revoke ${key.prefix}` },
      <>
        <OperatorTabs />
        <Confirmation
          question="Revoke this key?"
          action={`${accountKeyPath(account.id, key.id)}/revoke`}
          button="Revoke the key"
          backTo={accountPath(account.id)}
        >
          <p>
            <code>{key.prefix}…</code> of the project {key.projectName}, {account.email}.
          </p>
          <p>Its next request is refused. A revoked key cannot be brought back; its usage stays counted.</p>
        </Confirmation>
      </>,
    );
  });

  pages.operator('POST', PATH, async (visit) => {
    const account = await requireAccount(db, visit);
    const key = await requireKey(db, visit, account);
    if (key.revokedAtMs !== null) return visit.redirect(`${accountPath(account.id)}?done=was-revoked`);
    await revokeKey(db, key.id, clock());
    return visit.redirect(`${accountPath(account.id)}?done=revoked`);
  });
}
