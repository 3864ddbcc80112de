import type { Account } from '../../accounts/account.js';
import { askForApiAccess } from '../../inbox/ask-operator.js';
import { findApiAccessRequest } from '../../inbox/inbox.js';
import { TOKEN_LOGIN_PATH } from '../accounts/asking-site.js';
import { formFields } from '../layout/form-data.js';
import { Timestamp } from '../layout/formatting.js';
import { accountPath } from '../operator/account-route.js';
import type { PageContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { Actions } from '../layout/actions.js';
import { ButtonForm } from '../layout/form.js';

const PATH = '/apikeys/ask';

interface ApiAccessNoticeProps {
  readonly account: Account;
  /** When API access was requested, if the operator has not decided yet; otherwise undefined. */
  readonly askedAtMs: number | undefined;
  /**
   * The return URL of the site that requests a token. After asking for API access, the person returns to /apilogin with
   * it or, if it is missing, to /apikeys.
   */
  readonly returnUrl?: string | undefined;
}

function NextStep({ account, askedAtMs, returnUrl = '' }: ApiAccessNoticeProps) {
  if (account.isOperator) {
    return (
      <>
        <p>You are an operator: turn it on, then come back to this page.</p>
        <Actions links={[[accountPath(account.id), 'Go to the page of your account', 'main']]} />
      </>
    );
  }
  if (askedAtMs === undefined)
    return (
      <ButtonForm action={PATH} sends={{ returnUrl }} look="">
        Ask for API access
      </ButtonForm>
    );
  return (
    <p class="notice good">
      The operator has your request of <Timestamp timeMs={askedAtMs} />. Once it is approved, reload this
      page.
    </p>
  );
}

/** Says that an account lacks API access, and how its owner gets it. */
export async function apiAccessNotice({ domain }: PageContext, account: Account, returnUrl?: string) {
  const request = await findApiAccessRequest(domain, account.id);
  return (
    <>
      <p>
        API access is not enabled for <strong>{account.email}</strong>, so it has no tokens.
      </p>
      <NextStep account={account} askedAtMs={request?.askedAtMs} returnUrl={returnUrl} />
    </>
  );
}

export const askForApiAccessPage = signedInPage(PATH, {
  post: async (context) => {
    const { id, email, hasApiAccess } = context.user.account;
    const { returnUrl } = formFields(context.request.body, ['returnUrl']);
    if (!hasApiAccess) await askForApiAccess(context.domain, { accountId: id, email });
    return context.redirect(
      returnUrl === '' ? '/apikeys' : `${TOKEN_LOGIN_PATH}?${new URLSearchParams({ returnUrl })}`,
    );
  },
  leadsTo: '/apikeys',
});
