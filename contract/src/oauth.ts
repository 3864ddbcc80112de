import { z } from 'zod';
import type { ErrorName } from './errors.js';
import { LIMITS } from './limits.js';

/** The only scope: access to `/mcp`. */
export const OAUTH_SCOPE = 'mcp';

/** The paths of `/mcp`, of the OAuth 2.1 endpoints, and of the documents about them. */
export const OAUTH_PATHS = {
  /** The resource that the tokens are valid for. */
  resource: '/mcp',
  /** The document of RFC 9728, about the resource. Also served with the path of the resource appended. */
  protectedResource: '/.well-known/oauth-protected-resource',
  /** The document of RFC 8414, about the authorization server. */
  authorizationServer: '/.well-known/oauth-authorization-server',
  /** The document of RFC 8414 at another path, for clients that look only there. */
  openIdConfiguration: '/.well-known/openid-configuration',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** OAuth error codes, and the entry of ERRORS that each is sent as. */
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

/** A client's metadata, from its registration or its document. Other fields are ignored. */
export const oauthClientMetadata = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(LIMITS.oauth.redirectUris),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

export type OAuthClientMetadata = z.output<typeof oauthClientMetadata>;

/** The response of the token endpoint (RFC 6749, section 5.1). */
export const oauthTokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string(),
  scope: z.literal(OAUTH_SCOPE),
});

export type OAuthTokens = z.output<typeof oauthTokens>;

/**
 * The document that tells a client which server issues tokens for `/mcp`. `issuer` is the origin by which that server
 * identifies itself; `origin` is the one that the caller used.
 */
export const protectedResourceMetadata = (issuer: string, origin = issuer) => ({
  resource: origin + OAUTH_PATHS.resource,
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
