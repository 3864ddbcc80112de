import { LIMITS } from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import type { Account } from '../../accounts/account.js';
import { issueTokenFor } from '../../tokens/account-tokens.js';
import { allowSite, isAllowed } from '../../tokens/allowed-sites.js';
import { type MatchedReturnUrl, matchReturnUrl, withRejection, withToken } from '../../tokens/return-urls.js';
import { formFields } from '../layout/form-data.js';
import { Form, Submit } from '../layout/form.js';
import type { PageContext } from '../routing/page-context.js';
import { publicPage, redirectToNewPassword } from '../routing/page.js';
import { contentSecurityPolicy, formTarget } from '../routing/security-headers.js';
import { showRejectedReturnUrl } from './return-url-rejection.js';
import { TOKEN_LOGIN_PATH as PATH } from '../accounts/asking-site.js';
import { apiAccessNotice } from './api-access.js';
import { Facts } from '../layout/facts.js';

const OTHER_ACCOUNT_PATH = '/apilogin/other-account';

interface RequestingSite extends MatchedReturnUrl {
  /** The return URL, exactly as the site wrote it. */
  readonly returnUrl: string;
}

const OtherAccount = ({ returnUrl, email }: { readonly returnUrl: string; readonly email: string }) => (
  <Form action={OTHER_ACCOUNT_PATH} class="other-account">
    <input type="hidden" name="returnUrl" value={returnUrl} />
    Not {email}? <Submit look="small">Sign in as somebody else</Submit>
  </Form>
);

function showQuestion(
  context: PageContext,
  { name, returnUrl, url }: RequestingSite,
  account: Account,
): FastifyReply {
  // Submitting the form redirects to the site, so the page's policy must allow that.
  context.reply.header('Content-Security-Policy', contentSecurityPolicy([formTarget(url)]));
  return context.render(
    { title: `Continue to ${name}`, width: 'narrow' },
    <>
      <h1>
        Continue to <bdi>{name}</bdi>?
      </h1>
      <p>
        <bdi>
          <strong>{name}</strong>
        </bdi>{' '}
        at <strong>{url.host}</strong> sent you here to sign in, and wants to act for you.
      </p>
      <Facts
        facts={[
          ['Signed in as', account.name === null ? account.email : `${account.name}, ${account.email}`],
          [
            'It gets',
            <>
              An access token, which acts for you at this service for {LIMITS.accessTokenLifetimeMinutes}{' '}
              minutes, and with it your name and e-mail
            </>,
          ],
          ['It does not get', 'Your password, or your refresh token'],
        ]}
      />
      <p>
        You are asked only once. From then on it gets a token whenever it sends you here, until you withdraw
        that on <a href="/account#sites">your account</a>.
      </p>
      <Form action={PATH}>
        <input type="hidden" name="returnUrl" value={returnUrl} />
        <p class="actions">
          <button type="submit">
            <span>
              Continue to <bdi>{name}</bdi>
            </span>
          </button>
          <a class="button secondary" href={withRejection(url).href}>
            Cancel
          </a>
        </p>
      </Form>
      <OtherAccount returnUrl={returnUrl} email={account.email} />
    </>,
  );
}

const showWithoutAccess = async (
  context: PageContext,
  { name, returnUrl }: RequestingSite,
  account: Account,
): Promise<FastifyReply> =>
  context.render(
    { title: 'No API access', status: 403, width: 'narrow' },
    <>
      <h1>
        <bdi>{name}</bdi> cannot be given a token
      </h1>
      {await apiAccessNotice(context, account, returnUrl)}
      <OtherAccount returnUrl={returnUrl} email={account.email} />
    </>,
  );

/** Redirects to the sign-in page, which then returns to /apilogin for the same site. */
function redirectToSignIn(context: PageContext, returnUrl: string): FastifyReply {
  const back = `${PATH}?returnUrl=${encodeURIComponent(returnUrl)}`;
  return context.redirect(`/signin?next=${encodeURIComponent(back)}`);
}

type SiteHandler = (context: PageContext, site: RequestingSite) => Promise<FastifyReply> | FastifyReply;
type AccountHandler = (
  context: PageContext,
  site: RequestingSite,
  account: Account,
) => Promise<FastifyReply> | FastifyReply;

/** Runs `handle` for accounts with API access. Others sign in, replace a generated password, or ask for access. */
const withApiAccess =
  (handle: AccountHandler): SiteHandler =>
  (context, site) => {
    const account = context.user?.account;
    if (account === undefined) return redirectToSignIn(context, site.returnUrl);
    if (account.mustChangePassword) return redirectToNewPassword(context);
    return account.hasApiAccess ? handle(context, site, account) : showWithoutAccess(context, site, account);
  };

/** Runs `handle` only for a registered return URL: a browser must never be redirected to an unknown one. */
const forKnownSite = (handle: SiteHandler) => async (context: PageContext) => {
  const { returnUrl } = formFields(context.formOrQuery, ['returnUrl']);
  const match = await matchReturnUrl(context.domain, returnUrl);
  return match === undefined
    ? showRejectedReturnUrl(context, returnUrl)
    : handle(context, { ...match, returnUrl });
};

async function returnWithToken(context: PageContext, { url }: RequestingSite, account: Account) {
  const { accessToken } = await issueTokenFor(context.domain, account.id, url);
  return context.reply
    .header('Referrer-Policy', 'no-referrer')
    .redirect(withToken(url, accessToken).href, 303);
}

/**
 * Whether the browser opens this page in a tab, not by a HEAD request, prefetch, prerendering or in a frame. True also
 * for a GET without the headers that tell.
 */
function isOpenedInTab({ request: { method, headers } }: PageContext): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'document';
  return method === 'GET' && destination === 'document' && headers['sec-purpose'] === undefined;
}

/** Redirects to the site with a token if the person agreed earlier and is opening the page in a tab; otherwise asks. */
async function returnOrAsk(context: PageContext, site: RequestingSite, account: Account) {
  const isDirect = isOpenedInTab(context) && (await isAllowed(context.domain, account.id, site));
  return isDirect ? returnWithToken(context, site, account) : showQuestion(context, site, account);
}

async function allowAndReturn(context: PageContext, site: RequestingSite, account: Account) {
  const isRegistered = await allowSite(context.domain, account.id, site);
  return isRegistered
    ? returnWithToken(context, site, account)
    : showRejectedReturnUrl(context, site.returnUrl);
}

/**
 * GET and POST /apilogin: sends a token to a registered site once the person has agreed. POST /apilogin/other-account
 * signs the person out and leads to the sign-in page.
 */
export const tokenLoginPages = [
  publicPage(PATH, {
    get: forKnownSite(withApiAccess(returnOrAsk)),
    post: forKnownSite(withApiAccess(allowAndReturn)),
  }),
  publicPage(OTHER_ACCOUNT_PATH, {
    leadsTo: '/overview',
    post: forKnownSite(async (context, { returnUrl }) => {
      await context.endSession();
      return redirectToSignIn(context, returnUrl);
    }),
  }),
];
