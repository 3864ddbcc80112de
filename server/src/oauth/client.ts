import { LIMITS, type OAuthClientMetadata, oauthClientMetadata } from '@signpost/contract';
import { OAuthError } from './oauth-error.js';
import { redirectUriProblem } from './redirect-uri.js';

/** A program that people may connect. */
export interface OAuthClient {
  readonly id: string;
  /** The client's own name for itself. Nobody has checked it. */
  readonly name: string;
  /** The host of the client's document; null if the client registered itself. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
}

/** Control characters, characters that change the direction of text, and all others of the Unicode category "C". */
const UNSEEN = /\p{C}+/gu;
const NAMELESS = 'An assistant without a name';

function shownName(name = ''): string {
  const visible = name.replaceAll(UNSEEN, ' ').replaceAll(/\s+/gu, ' ').trim();
  return [...visible].slice(0, LIMITS.oauth.clientNameCharacters).join('') || NAMELESS;
}

/**
 * The valid redirect URIs of a client. A program may list redirect URIs for every system that it runs on, so
 * invalid ones are left out. Throws an OAuthError if none is valid.
 */
function usableRedirects({ redirect_uris: uris }: OAuthClientMetadata): string[] {
  const usable = uris.filter((uri) => redirectUriProblem(uri) === undefined);
  const [first = ''] = uris;
  if (usable.length === 0)
    throw new OAuthError('invalid_redirect_uri', redirectUriProblem(first) ?? 'There is no redirect URI.');
  return usable;
}

/** Parses a client's metadata. Throws an OAuthError if it cannot be a client of this server. */
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
      'Only the grant type authorization_code and the response type code are supported.',
    );
  }
  return { name: shownName(name), redirectUris: usableRedirects(parsed.data) };
}
