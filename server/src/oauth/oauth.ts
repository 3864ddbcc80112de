import { OAUTH_PATHS, type OAuthTokens } from '@signpost/contract';
import type { Actor } from '../audit/audit.js';
import type { Throttle } from '../throttle/throttle.js';
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.js';
import { createClientDocuments, documentUrl, type FetchDocument } from './client-documents.js';
import { removeExpiredTokens, verifyAccessToken } from './connection-tokens.js';
import {
  addConnection,
  type ConnectionSort,
  endConnection,
  type EndingContext,
  listConnections,
  removeEndedConnections,
} from './connections.js';
import type { ConnectionContext } from './context.js';
import { OAuthError } from './oauth-error.js';
import { type Parameters, requiredParameter } from './parameters.js';
import { redeemCode } from './redeem-code.js';
import { withParameters } from './redirect-uri.js';
import { refreshConnection } from './refresh-connection.js';
import { revokeToken } from './revoke-token.js';
import { createRegisteredClients, removeOldClients, unknownClient } from './registered-clients.js';

export interface OAuthDeps extends Omit<ConnectionContext, 'resource' | 'actor'> {
  readonly monotonicMs: () => number;
  readonly throttle: Throttle;
  readonly fetchDocument: FetchDocument;
  /** The public address of the server, without a trailing slash. Known once the server listens. */
  readonly issuer: () => string;
}

/** The URL that sends the browser back to a client, with the answer, the client's state and the issuer (RFC 9207). */
const clientRedirect = (
  { redirectUri, state }: AuthorizationRequest,
  iss: string,
  answer: Readonly<Record<string, string>>,
): string => withParameters(redirectUri, { ...answer, ...(state === undefined ? {} : { state }), iss });

/** Exchanges a code or a refresh token for tokens. Throws an OAuthError if that is not possible. */
async function issueTokens(context: ConnectionContext, parameters: Parameters): Promise<OAuthTokens> {
  const grantType = requiredParameter(parameters, 'grant_type');
  if (grantType === 'authorization_code') return redeemCode(context, parameters);
  if (grantType === 'refresh_token') return refreshConnection(context, parameters);
  throw new OAuthError(
    'unsupported_grant_type',
    'Only the grant types authorization_code and refresh_token are supported.',
  );
}

/**
 * Creates the authorization server for assistants at `/mcp`, which also lists and ends the connections that it makes.
 */
export function createOAuth(deps: OAuthDeps) {
  const { db, clock, issuer } = deps;
  const resource = () => issuer() + OAUTH_PATHS.resource;
  const contextOf = (actor: Actor): ConnectionContext => ({ ...deps, resource, actor });
  const registered = createRegisteredClients(deps);
  const documents = createClientDocuments(deps);

  const findClient = async (clientId: string, accountId: string) => {
    const url = documentUrl(clientId);
    const client =
      url === undefined ? await registered.find(clientId) : await documents.read(clientId, url, accountId);
    if (client === undefined) throw unknownClient();
    return client;
  };

  return {
    issuer,
    issue: (actor: Actor, parameters: Parameters) => issueTokens(contextOf(actor), parameters),
    verify: (accessToken: string) => verifyAccessToken({ db, clock, resource }, accessToken),
    revoke: (actor: Actor, parameters: Parameters) => revokeToken(contextOf(actor), parameters),
    register: (metadata: unknown, address: string) => registered.register(metadata, address),

    /**
     * Reads the request that the person is asked to agree to. Throws an OAuthError if the browser must not be sent
     * back, and a ServiceError `rateLimited` if too many client documents were fetched for the account.
     */
    readRequest: (parameters: Parameters, accountId: string) =>
      readAuthorizationRequest(parameters, resource(), (clientId) => findClient(clientId, accountId)),

    /** Connects the client for the account of the actor, and returns where to send the browser. */
    async allow(
      actor: Actor & { readonly accountId: string },
      request: AuthorizationRequest,
      projectId: string,
    ): Promise<string> {
      const { accountId } = actor;
      const consent = { accountId, projectId, request };
      const code = await addConnection(contextOf(actor), consent);
      return clientRedirect(request, issuer(), { code });
    },

    /** The URL that sends the browser back to the client with an error, for example because the person refused. */
    rejectionOf: (
      request: AuthorizationRequest,
      { code, message }: Pick<OAuthError, 'code' | 'message'>,
    ): string => clientRedirect(request, issuer(), { error: code, error_description: message }),

    list: (accountId: string, sort?: ConnectionSort) => listConnections(db, accountId, clock(), sort),

    async end(actor: Actor, accountId: string, connectionId: string): Promise<void> {
      const own = await listConnections(db, accountId, clock());
      if (!own.some(({ id }) => id === connectionId)) return;
      await db.transaction((transaction) =>
        endConnection({ ...contextOf(actor), db: transaction }, { id: connectionId }, 'by its owner'),
      );
    },
  };
}

export type OAuth = ReturnType<typeof createOAuth>;

/**
 * Ends connections that have expired. Removes connections whose key is revoked or expired, expired tokens, and
 * registered clients that nobody uses.
 */
export async function cleanConnections(context: EndingContext): Promise<void> {
  const { db, clock } = context;
  const nowMs = clock();
  await removeEndedConnections(context, nowMs);
  await removeExpiredTokens(db, nowMs);
  await removeOldClients(db, nowMs);
}
