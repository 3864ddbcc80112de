import { isLive } from '../../keys/key.js';
import { revokeKey } from '../../keys/revoke-key.js';
import { accountKeyPath, accountPath, requireAccount, requireKey } from './account-route.js';
import { Confirmation } from '../layout/form.js';
import { OperatorTabs } from './operator-tabs.js';
import { operatorPage } from '../routing/page.js';

const PATH = '/operator/accounts/:accountId/keys/:keyId/revoke';

/** Asks for confirmation, then revokes a key. */
export const revokeAccountKeyPage = operatorPage(PATH, {
  get: async (context) => {
    const account = await requireAccount(context);
    const key = await requireKey(context, account);
    if (!isLive(key))
      return context.redirect(`${accountPath(account.id)}?done=was-revoked&which=${key.prefix}`);
    return context.render(
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
  },
  post: async (context) => {
    const account = await requireAccount(context);
    const key = await requireKey(context, account);
    if (!isLive(key))
      return context.redirect(`${accountPath(account.id)}?done=was-revoked&which=${key.prefix}`);
    await revokeKey(context.domain, key);
    return context.redirect(`${accountPath(account.id)}?done=revoked&which=${key.prefix}`);
  },
});
