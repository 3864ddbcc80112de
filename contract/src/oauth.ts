import { z } from 'zod';
import type { ErrorName } from './errors.js';
import { LIMITS } from './limits.js';

/** What assistants ask for and get: the tools at `/mcp`. */
export const OAUTH_SCOPE = 'mcp';

/** Where OAuth 2.1 is served. */
export const OAUTH_PATHS = {
  /** What the tokens are for. */
  resource: '/mcp',
  /** RFC 9728; also with the path of the resource after it. */
  protectedResource: '/.well-known/oauth-protected-resource',
  /** RFC 8414. */
  authorizationServer: '/.well-known/oauth-authorization-server',
  /** The same document, for clients that look here alone. */
  openIdConfiguration: '/.well-known/openid-configuration',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** The errors of OAuth by their codes, each as the way in which a call is refused. */
export const OAUTH_ERRORS = {
  invalid_request: 'invalidRequest',
  invalid_client: 'unauthorized',
  invalid_client_metadata: 'invalidRequest',
  invalid_grant: 'invalidRequest',
  invalid_redirect_uri: 'invalidRequest',
  invalid_scope: 'invalidRequest',
  invalid_target: 'invalidRequest',
  unsupported_grant_type: 'invalidRequest',
  unsupported_response_type: 'invalidRequest',
  access_denied: 'forbidden',
  server_error: 'internal',
  temporarily_unavailable: 'rateLimited',
} as const satisfies Record<string, ErrorName>;

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** What a client says of itself, as it registers or in its document; everything else that it says is ignored. */
export const oauthClientMetadata = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(LIMITS.oauth.redirectUris),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

export type OAuthClientMetadata = z.output<typeof oauthClientMetadata>;

/** The answer to a code or a refresh token (RFC 6749, section 5.1). */
export const oauthTokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string(),
  scope: z.literal(OAUTH_SCOPE),
});

export type OAuthTokens = z.output<typeof oauthTokens>;

/** The documents by which a client finds out how to get a token for `/mcp`, of the server at this address. */
export const protectedResourceMetadata = (issuer: string) => ({
  resource: issuer + OAUTH_PATHS.resource,
  authorization_servers: [issuer],
  scopes_supported: [OAUTH_SCOPE],
  bearer_methods_supported: ['header'],
  resource_name: 'Signpost',
});

export const authorizationServerMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: issuer + OAUTH_PATHS.authorize,
  token_endpoint: issuer + OAUTH_PATHS.token,
  registration_endpoint: issuer + OAUTH_PATHS.register,
  revocation_endpoint: issuer + OAUTH_PATHS.revoke,
  scopes_supported: [OAUTH_SCOPE],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});
