import { OAUTH_SCOPE } from '@signpost/contract';
import type { OAuthClient } from './client.js';
import { OAuthError } from './oauth-error.js';
import { checkResource, parameter, type Parameters, requiredParameter, scopesOf } from './parameters.js';
import { isSameRedirect, redirectUriProblem } from './redirect-uri.js';

/** A client's request that a person has to agree to. */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  /**
   * The address that the browser is sent back to. The client has registered it. If it is http on the person's own
   * machine, its port may differ from the registered one.
   */
  readonly redirectUri: string;
  /** Returned to the client unchanged. */
  readonly state: string | undefined;
  readonly codeChallenge: string;
  /** Why the client will not get a code, even if the person agrees; undefined if it may get one. */
  readonly problem: OAuthError | undefined;
}

/** The parameters that the consent page passes on with its form. */
export const AUTHORIZATION_PARAMETERS = [
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'resource',
  'state',
] as const;

/** SHA-256 in base64url (RFC 7636). */
const CHALLENGE = /^[\w-]{43}$/u;

function checkRedirect(client: OAuthClient, redirectUri: string): void {
  const isRegistered = client.redirectUris.some((uri) => isSameRedirect(uri, redirectUri));
  if (isRegistered && redirectUriProblem(redirectUri) === undefined) return;
  throw new OAuthError(
    'invalid_request',
    'The assistant asks to be led back to an address that it has not registered.',
  );
}

function readCodeChallenge(parameters: Parameters, resource: string): string {
  if (requiredParameter(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'Only response_type=code is supported.');
  if ((parameter(parameters, 'response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'Only response_mode=query is supported.');
  const challenge = requiredParameter(parameters, 'code_challenge');
  if (parameter(parameters, 'code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'PKCE is needed, with the code_challenge_method S256.');
  if (!scopesOf(parameters).includes(OAUTH_SCOPE))
    throw new OAuthError('invalid_scope', `Only the scope ${OAUTH_SCOPE} is supported.`);
  checkResource(parameters, resource);
  return challenge;
}

/**
 * Reads the parameters other than the client and the redirect. Returns an error in them as `problem`, because the
 * client can be told about it.
 */
function readCodeRequest(parameters: Parameters, resource: string) {
  let state: string | undefined;
  try {
    state = parameter(parameters, 'state');
    return { state, codeChallenge: readCodeChallenge(parameters, resource), problem: undefined };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { state, codeChallenge: '', problem: error };
  }
}

/**
 * Reads an authorization request. Throws an OAuthError if the client or the redirect is missing, invalid or unknown,
 * because then the browser must not be sent anywhere. Also throws the errors of `findClient`.
 */
export async function readAuthorizationRequest(
  parameters: Parameters,
  resource: string,
  findClient: (clientId: string) => Promise<OAuthClient>,
): Promise<AuthorizationRequest> {
  const redirectUri = requiredParameter(parameters, 'redirect_uri');
  const client = await findClient(requiredParameter(parameters, 'client_id'));
  checkRedirect(client, redirectUri);
  return { client, redirectUri, ...readCodeRequest(parameters, resource) };
}
