import { LIMITS } from '@signpost/contract';
import { showTokens } from '../../tokens/account-tokens.js';
import type { TokenPair } from '../../tokens/tokens.js';
import { HiddenValue } from '../layout/copyable.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage, withFreshPassword } from '../routing/page.js';
import { apiAccessNotice } from './api-access.js';
import { formatTimeLeft } from './time-left.js';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';

/** The remaining time of the access token; a script counts it down. */
function TimeLeft({ nowMs, validToMs }: { readonly nowMs: number; readonly validToMs: number }) {
  const leftMs = validToMs - nowMs;
  const end = new Date(validToMs).toISOString();
  return (
    <p>
      Valid for{' '}
      <time datetime={end} data-left-ms={leftMs}>
        {formatTimeLeft(leftMs) ?? 'no time'}, until {end.slice(11, 16)} UTC
      </time>
      .
    </p>
  );
}

const AccessToken = ({ pair, nowMs }: { readonly pair: TokenPair; readonly nowMs: number }) => (
  <Card id="access-heading" title="Access token">
    <p>
      A program sends it with each call to the referral interface, where it acts for you for{' '}
      {LIMITS.accessTokenLifetimeMinutes} minutes.
    </p>
    <HiddenValue id="access-token" label="access token" value={pair.accessToken} />
    <TimeLeft nowMs={nowMs} validToMs={pair.validToMs} />
    <p class="aside">Every visit to this page makes a new one; earlier ones stay valid until they expire.</p>
  </Card>
);

const RefreshToken = ({ refreshToken }: { readonly refreshToken: string }) => (
  <Card id="refresh-heading" title="Refresh token">
    <p>
      It gets new access tokens and never expires: treat it like a password, and keep it only on a server.
      Never put it into a URL, source code or a page of another site. The one page that you may type it into
      is the <a href="/reference">reference</a> of this server: it sends the token to this server only, and
      forgets it when you leave.
    </p>
    <HiddenValue id="refresh-token" label="refresh token" value={refreshToken} />
    <Actions links={[['/apikeys/regenerate', 'Regenerate the refresh token…', 'destructive']]} />
  </Card>
);

/** Commands that can be pasted unchanged. They are hidden like the tokens in them. */
function Commands({ publicUrl, pair }: { readonly publicUrl: string; readonly pair: TokenPair }) {
  const body = JSON.stringify({ refreshToken: pair.refreshToken });
  return (
    <Card id="use-heading" title="Use them">
      <p>To see whom the access token acts for, and until when:</p>
      <HiddenValue
        id="status-command"
        label="status command"
        value={`curl -H "Authorization: Bearer ${pair.accessToken}" ${publicUrl}/api/token/status`}
      />
      <p>To get a new access token with the refresh token:</p>
      <HiddenValue
        id="refresh-command"
        label="refresh command"
        value={`curl -H "Content-Type: application/json" -d '${body}' ${publicUrl}/api/token/refresh`}
      />
      <p class="aside">
        These lines hold the tokens above, and your shell keeps them in its history. In scripts, read the
        tokens from a file that only you can read.
      </p>
      <p>
        Every call can be tried in the <a href="/reference">reference</a>; its field for the authorisation
        takes the word Bearer, a space, and the access token.
      </p>
    </Card>
  );
}

/** Shows the page without tokens, with status 200, because an account without API access is not an error. */
const showWithoutAccess = async (context: SignedInContext) =>
  context.render(
    { title: 'Tokens' },
    <>
      <h1>Your tokens</h1>
      {await apiAccessNotice(context, context.user.account)}
    </>,
  );

const DONE = new Map([
  ['regenerated', 'The refresh token was replaced. The old one is refused from now on.'],
]);

async function showPage(context: SignedInContext) {
  const { account } = context.user;
  const { domain } = context;
  const { publicUrl } = context.deps;
  const pair = await showTokens(domain, account.id);
  return context.render(
    { title: 'Tokens' },
    <>
      <h1>Your tokens</h1>
      <DoneNotice sentences={DONE} />
      <p>
        With these, programs use the referral interface of this server as <strong>{account.email}</strong>.
      </p>
      <div class="token-cards">
        <AccessToken pair={pair} nowMs={domain.clock()} />
        <RefreshToken refreshToken={pair.refreshToken} />
      </div>
      <Commands publicUrl={publicUrl()} pair={pair} />
    </>,
  );
}

/**
 * GET /apikeys: makes an access token and shows it with the refresh token, after asking for the password unless it was
 * entered recently. Without API access, says how to get it.
 */
export const tokenPage = signedInPage('/apikeys', {
  menuLabel: 'Tokens',
  get: (context) =>
    context.user.account.hasApiAccess ? withFreshPassword(showPage)(context) : showWithoutAccess(context),
});
