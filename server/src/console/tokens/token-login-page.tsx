import { LIMITS } from '@signpost/contract';
import type { FastifyReply } from 'fastify';
import type { Account } from '../../accounts/account.js';
import { matchReturnUrl, withToken } from '../../tokens/return-urls.js';
import { formFields } from '../layout/form-data.js';
import { Form } from '../layout/form.js';
import { type PageRouter, toNewPassword, type PageContext } from '../routing/page-router.js';
import { contentSecurityPolicy } from '../routing/security-headers.js';
import { showRefusedReturnUrl } from './refused-return-url.js';
import { ApiAccessNotice } from './token-page.js';

/** Names and IPv4 addresses; the policy's grammar knows no IPv6 address, and a `*` or `;` would mean something else. */
const NAMEABLE = /^[a-z\d.-]+$/u;

/**
 * The source for `form-action` of a content security policy that lets a form's answer redirect to a URL: its
 * origin, or its scheme where the policy cannot name the host.
 */
export const formTarget = ({ hostname, origin, protocol }: URL): string =>
  NAMEABLE.test(hostname) ? origin : protocol;

const PATH = '/apilogin';
const OTHER_ACCOUNT_PATH = '/apilogin/other-account';

/** A registered site that asks for a token. */
interface RequestingSite {
  readonly name: string;
  /** Where it wants its token, as it wrote it. */
  readonly returnUrl: string;
  readonly url: URL;
}

function OtherAccount({ returnUrl, email }: { readonly returnUrl: string; readonly email: string }) {
  return (
    <Form action={OTHER_ACCOUNT_PATH} class="other-account">
      <input type="hidden" name="returnUrl" value={returnUrl} />
      Not {email}?{' '}
      <button type="submit" class="small">
        Sign in as somebody else
      </button>
    </Form>
  );
}

/** Asks whether the site may have a token of the account. */
function showQuestion(
  visit: PageContext,
  { name, returnUrl, url }: RequestingSite,
  account: Account,
): FastifyReply {
  // The answer to the form redirects to the site, which the policy of the page must allow.
  visit.reply.header('Content-Security-Policy', contentSecurityPolicy([formTarget(url)]));
  return visit.page(
    { title: `Continue to ${name}`, width: 'narrow' },
    <>
      <h1>Continue to {name}?</h1>
      <p>
        <strong>{name}</strong> at <strong>{url.host}</strong> sent you here to sign in, and wants to act for
        you.
      </p>
      <dl class="facts">
        <dt>Signed in as</dt>
        <dd>{account.name === null ? account.email : `${account.name}, ${account.email}`}</dd>
        <dt>It gets</dt>
        <dd>
          An access token, which acts for you at this service for {LIMITS.accessTokenLifetimeMinutes} minutes,
          and with it your name and e-mail
        </dd>
        <dt>It does not get</dt>
        <dd>Your password, or your refresh token</dd>
      </dl>
      <Form action={PATH}>
        <input type="hidden" name="returnUrl" value={returnUrl} />
        <p class="actions">
          <button type="submit">Continue to {name}</button>
          <a class="button secondary" href="/overview">
            Cancel
          </a>
        </p>
      </Form>
      <OtherAccount returnUrl={returnUrl} email={account.email} />
    </>,
  );
}

const showWithoutAccess = (
  visit: PageContext,
  { name, returnUrl }: RequestingSite,
  { email }: Account,
): FastifyReply =>
  visit.page(
    { title: 'No API access', status: 403, width: 'narrow' },
    <>
      <h1>{name} cannot be given a token</h1>
      <ApiAccessNotice email={email} />
      <OtherAccount returnUrl={returnUrl} email={email} />
    </>,
  );

/** To the sign-in, and back to the question afterwards. */
function toSignIn(visit: PageContext, returnUrl: string): FastifyReply {
  const back = `${PATH}?returnUrl=${encodeURIComponent(returnUrl)}`;
  return visit.redirect(`/signin?next=${encodeURIComponent(back)}`);
}

type SiteHandler = (visit: PageContext, site: RequestingSite) => Promise<FastifyReply> | FastifyReply;
type AccountHandler = (
  visit: PageContext,
  site: RequestingSite,
  account: Account,
) => Promise<FastifyReply> | FastifyReply;

/** Lets only those on who are signed in to an account that may have tokens. */
const withApiAccess =
  (handle: AccountHandler): SiteHandler =>
  (visit, site) => {
    const account = visit.visitor?.account;
    if (account === undefined) return toSignIn(visit, site.returnUrl);
    if (account.mustChangePassword) return toNewPassword(visit);
    return account.hasApiAccess ? handle(visit, site, account) : showWithoutAccess(visit, site, account);
  };

/** GET and POST /apilogin: passes a token on to a registered site, when its owner agrees. */
export function addTokenLoginPage(pages: PageRouter): void {
  const { parts, sessionCookie } = pages;

  /** Before all else the return URL is looked at: an unknown one never gets a redirect, whoever asks. */
  const add = (method: 'GET' | 'POST', path: string, handle: SiteHandler) =>
    pages.open(method, path, async (visit) => {
      const sent = method === 'GET' ? visit.request.query : visit.request.body;
      const { returnUrl } = formFields(sent, ['returnUrl']);
      const match = await matchReturnUrl(parts.db, returnUrl);
      return match === undefined
        ? showRefusedReturnUrl(visit, returnUrl)
        : handle(visit, { ...match, returnUrl });
    });

  add('GET', PATH, withApiAccess(showQuestion));

  add(
    'POST',
    PATH,
    withApiAccess(async (visit, { url }, account) => {
      const { accessToken } = await parts.tokens.issueAccessToken(account.id);
      return visit.reply
        .header('Cache-Control', 'no-store')
        .header('Referrer-Policy', 'no-referrer')
        .redirect(withToken(url, accessToken).href, 303);
    }),
  );

  add('POST', OTHER_ACCOUNT_PATH, async (visit, { returnUrl }) => {
    await sessionCookie.end(visit.request, visit.reply);
    return toSignIn(visit, returnUrl);
  });
}
