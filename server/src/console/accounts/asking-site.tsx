import { parseUrl } from '@signpost/contract';
import { matchReturnUrl } from '../../tokens/return-urls.js';
import { formFields } from '../layout/form-data.js';
import type { PageContext } from '../routing/page-context.js';
import { contentSecurityPolicy, formTarget } from '../routing/security-headers.js';

/** The path to which other sites send people to get a token. */
export const TOKEN_LOGIN_PATH = '/apilogin';

const BASE = 'http://this-server.invalid';

/** A registered site that sent somebody here for an access token. */
interface AskingSite {
  readonly name: string;
  readonly host: string;
}

/**
 * Finds the registered site to which `next`, the path after the sign-in, gives a token; undefined if `next` is another
 * path or the site is not registered. Also allows the forms of the shown page to lead to that site, because browsers
 * apply the page's policy to every redirect after a form, including the last one.
 */
export async function findAskingSite(context: PageContext, next: string): Promise<AskingSite | undefined> {
  const url = parseUrl(next, BASE);
  if (url?.pathname !== TOKEN_LOGIN_PATH) return undefined;
  const { returnUrl } = formFields(Object.fromEntries(url.searchParams), ['returnUrl']);
  const match = await matchReturnUrl(context.domain, returnUrl);
  if (match === undefined) return undefined;
  context.reply.header('Content-Security-Policy', contentSecurityPolicy([formTarget(match.url)]));
  return { name: match.name, host: match.url.host };
}

/** Names the site that sent the person here; shows nothing if there is none. */
export function AskingSiteNotice({ site }: { readonly site: AskingSite | undefined }) {
  if (site === undefined) return null;
  return (
    <p class="notice">
      <bdi>
        <strong>{site.name}</strong>
      </bdi>{' '}
      at <strong>{site.host}</strong> sent you here. Once you are signed in, you are asked whether it may act
      for you, unless you agreed to that before.
    </p>
  );
}
