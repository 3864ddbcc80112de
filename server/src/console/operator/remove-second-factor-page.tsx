import { removeSecondFactor } from '../../accounts/account-state.js';
import { Confirmation } from '../layout/form.js';
import { operatorPage } from '../routing/page.js';
import { accountPath, isOwnAccount, requireAccount } from './account-route.js';
import { OperatorTabs } from './operator-tabs.js';

const PATH = '/operator/accounts/:accountId/second-factor-off';
/** Operators turn their own off here, which takes the password and a code. */
const OWN_PATH = '/account/second-factor';

/** Asks for confirmation, then turns off the second factor of an account for its owner. */
export const removeSecondFactorPage = operatorPage(PATH, {
  get: async (context) => {
    const account = await requireAccount(context);
    if (isOwnAccount(context, account)) return context.redirect(OWN_PATH);
    const path = accountPath(account.id);
    return context.render(
      { title: `Second factor of ${account.email}` },
      <>
        <OperatorTabs />
        <Confirmation
          question={`Turn off the second factor of ${account.email}?`}
          action={`${path}/second-factor-off`}
          button="Turn it off"
          backTo={path}
        >
          <p>
            From then on, the password is enough to sign in, and the recovery codes stop working. Do this for
            an owner who has lost both the app and the codes, and make sure that it is really the owner who
            asks.
          </p>
        </Confirmation>
      </>,
    );
  },
  post: async (context) => {
    const account = await requireAccount(context);
    if (isOwnAccount(context, account)) return context.redirect(OWN_PATH);
    await removeSecondFactor(context.domain, account.id);
    return context.redirect(`${accountPath(account.id)}?done=second-factor-off`);
  },
});
