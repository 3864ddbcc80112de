import { OAUTH_PATHS, OAUTH_SCOPE } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { presentedKey } from 'signpost-mcp/callers';
import type { FindKey, KnownKey } from '../../keys/key-finder.js';
import { isConnectionToken } from '../../oauth/connection-secrets.js';
import { originForHost } from '../../oauth/home-address.js';
import type { OAuth } from '../../oauth/oauth.js';
import { invalidKey, missingKey } from '../../operations/metered-call.js';
import { ServiceError } from '../../platform/errors.js';
import '../request-state.js';

export interface McpAuthenticationDeps {
  readonly findKey: FindKey;
  readonly oauth: Pick<OAuth, 'issuer' | 'verify'>;
}

const invalidToken = () =>
  new ServiceError(
    'unauthorized',
    'The access token is unknown here, or has ended. Get a new one with the refresh token, or connect again.',
  );

/** Identifies MCP clients by the key of a project, or by the token of a connection. */
export function createMcpAuthentication({ findKey, oauth }: McpAuthenticationDeps) {
  /** Sets the header of a 401 that tells the client how to get a token (RFC 9728). */
  const challenge = (reply: FastifyReply, error = '') => {
    const origin = originForHost(oauth.issuer(), reply.request.headers.host);
    const metadata = origin + OAUTH_PATHS.protectedResource + OAUTH_PATHS.resource;
    const parameters = `resource_metadata="${metadata}", scope="${OAUTH_SCOPE}"`;
    reply.header('WWW-Authenticate', `Bearer ${error}${parameters}`);
  };

  /**
   * Returns the 401 for a client whose key or token is not (or no longer) valid. Clears `mcpKey`, so that the 401
   * counts against the client's address.
   */
  const reject = (request: FastifyRequest, reply: FastifyReply, rejection = invalidKey()): ServiceError => {
    request.mcpKey = null;
    challenge(reply, 'error="invalid_token", ');
    return rejection;
  };

  /** Finds the key of a request, or throws a 401. Whether the key still works is checked later. */
  const authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<KnownKey> => {
    const { headers } = request;
    const presented = presentedKey(headers);
    if (presented === undefined) {
      challenge(reply);
      throw missingKey('the header "X-Api-Key" or as "Authorization: Bearer <key>"');
    }
    const isToken = isConnectionToken(presented) && presented !== headers['x-api-key'];
    const key = await (isToken ? oauth.verify(presented) : findKey(presented));
    if (key === undefined) throw reject(request, reply, isToken ? invalidToken() : invalidKey());
    return key;
  };

  return { authenticate, reject };
}

export type McpAuthentication = ReturnType<typeof createMcpAuthentication>;
