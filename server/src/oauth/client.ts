import { LIMITS, type OAuthClientMetadata, oauthClientMetadata } from '@signpost/contract';
import { OAuthError } from './oauth-error.js';
import { redirectUriProblem } from './redirect-uri.js';

/** A program that people may connect. */
export interface OAuthClient {
  readonly id: string;
  /** As it calls itself: nobody has checked it. */
  readonly name: string;
  /** The host of its document, which vouches for it; null where it registered itself. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
}

/** Controls, marks that turn the direction of writing round, and halves of characters. */
const UNSEEN = /\p{C}+/gu;
const NAMELESS = 'An assistant without a name';

function shownName(name = ''): string {
  const seen = name.replaceAll(UNSEEN, ' ').replaceAll(/\s+/gu, ' ').trim();
  return [...seen].slice(0, LIMITS.oauth.clientNameCharacters).join('') || NAMELESS;
}

/** The redirects of a client that may be used. A program names some for every machine it runs on: those that may not are left out. */
function usableRedirects({ redirect_uris: uris }: OAuthClientMetadata): string[] {
  const usable = uris.filter((uri) => redirectUriProblem(uri) === undefined);
  const [first = ''] = uris;
  if (usable.length === 0)
    throw new OAuthError('invalid_redirect_uri', redirectUriProblem(first) ?? 'There is no redirect URI.');
  return usable;
}

/** What is used of a client's metadata; throws an OAuthError where it cannot be a client of this server. */
export function readClientMetadata(metadata: unknown): Pick<OAuthClient, 'name' | 'redirectUris'> {
  const parsed = oauthClientMetadata.safeParse(metadata);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new OAuthError(
      field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      `The client's metadata are wrong at ${field === '' ? 'their top' : field}: ${issue?.message ?? ''}.`,
    );
  }
  const { client_name: name, grant_types: grants, response_types: responses } = parsed.data;
  if (grants?.includes('authorization_code') === false || responses?.includes('code') === false) {
    throw new OAuthError(
      'invalid_client_metadata',
      'This server has the grant type authorization_code and the response type code alone.',
    );
  }
  return { name: shownName(name), redirectUris: usableRedirects(parsed.data) };
}
