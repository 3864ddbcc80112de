import { parseUrl } from '@signpost/contract';
import { formFields } from '../layout/form-data.js';
import type { PageContext } from '../routing/page-context.js';

/** The path to which other sites send people, to be returned with a token. */
export const TOKEN_LOGIN_PATH = '/apilogin';

const BASE = 'http://this-server.invalid';

/** A registered site that sent somebody here, who is to sign in first. */
interface AskingSite {
  readonly name: string;
  readonly host: string;
}

/** The site that the path after the sign-in is about; undefined where it is about none that is known. */
export async function findAskingSite({ deps }: PageContext, next: string): Promise<AskingSite | undefined> {
  const url = parseUrl(next, BASE);
  if (url?.pathname !== TOKEN_LOGIN_PATH) return undefined;
  const { returnUrl } = formFields(Object.fromEntries(url.searchParams), ['returnUrl']);
  const match = await deps.returnUrls.match(returnUrl);
  return match && { name: match.name, host: match.url.host };
}

/** Says who asks. */
export function AskingSiteNotice({ site }: { readonly site: AskingSite | undefined }) {
  if (site === undefined) return null;
  return (
    <p class="notice">
      <bdi>
        <strong>{site.name}</strong>
      </bdi>{' '}
      at <strong>{site.host}</strong> sent you here. Once you are signed in, you are asked whether it may act
      for you.
    </p>
  );
}
