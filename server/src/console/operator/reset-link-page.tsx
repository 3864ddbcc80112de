import { createPasswordLink } from '../../accounts/account-links.js';
import { Confirmation } from '../layout/form.js';
import type { SignedInContext } from '../routing/page-context.js';
import { operatorPage } from '../routing/page.js';
import { accountPath, isOwnAccount, requireAccount } from './account-route.js';
import { handOver, OneTimeLinkCard } from './one-time-link-card.js';
import { OperatorTabs } from './operator-tabs.js';

async function makeLink(context: SignedInContext) {
  const account = await requireAccount(context);
  if (isOwnAccount(context, account)) return context.redirect('/password');
  const linked = await createPasswordLink(context.domain, account.id);
  return context.render(
    { title: 'Link for a password' },
    <>
      <OperatorTabs />
      <h1>Link for a password</h1>
      <OneTimeLinkCard
        linked={linked}
        url={handOver(context, linked)}
        isMailed={context.deps.notifications.reaches(account.email)}
      />
      <p>
        <a class="button" href={accountPath(account.id)}>
          To the account
        </a>
      </p>
    </>,
  );
}

/** Asks for confirmation, then makes a password reset link and shows it once. */
export const resetLinkPage = operatorPage('/operator/accounts/:accountId/password-link', {
  get: async (context) => {
    const account = await requireAccount(context);
    if (isOwnAccount(context, account)) return context.redirect('/password');
    const path = accountPath(account.id);
    return context.render(
      { title: `Link for ${account.email}` },
      <>
        <OperatorTabs />
        <Confirmation
          question={`Make a link for ${account.email}?`}
          action={`${path}/password-link`}
          button="Make the link"
          backTo={path}
          isHarmless
        >
          <p>
            Anyone who opens it can choose the password of this account, once. The current password works
            until then. Earlier links stop working.
          </p>
        </Confirmation>
      </>,
    );
  },
  post: makeLink,
});
