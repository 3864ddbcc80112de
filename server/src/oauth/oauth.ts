import { OAUTH_PATHS } from '@signpost/contract';
import type { Actor } from '../audit/audit.js';
import type { Throttle } from '../throttle/throttle.js';
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.js';
import { createClientDocuments, documentUrl, type FetchDocument } from './client-documents.js';
import { createConnectionTokens, type ConnectionTokensDeps } from './connection-tokens.js';
import {
  addConnection,
  type ConnectionSort,
  endConnection,
  listConnections,
  removeEndedConnections,
} from './connections.js';
import type { OAuthError } from './oauth-error.js';
import type { Parameters } from './parameters.js';
import { withParameters } from './redirect-uri.js';
import { createRegisteredClients, removeOldClients, unknownClient } from './registered-clients.js';

export interface OAuthDeps extends Omit<ConnectionTokensDeps, 'resource'> {
  readonly monotonicMs: () => number;
  readonly throttle: Throttle;
  readonly fetchDocument: FetchDocument;
  /** The public address of the server, without a slash at the end; known once it listens. */
  readonly issuer: () => string;
}

const CLEAN_INTERVAL_MS = 3_600_000;

/** The way back to a client, with what it is told there and who tells it (RFC 9207). */
const wayBack = (
  { redirectUri, state }: AuthorizationRequest,
  iss: string,
  answer: Readonly<Record<string, string>>,
): string => withParameters(redirectUri, { ...answer, ...(state === undefined ? {} : { state }), iss });

/** The authorization server for assistants at `/mcp`, and the connections that it makes. */
export function createOAuth(deps: OAuthDeps) {
  const { db, clock, audit, issuer } = deps;
  const resource = () => issuer() + OAUTH_PATHS.resource;
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
    ...createConnectionTokens({ ...deps, resource }),
    issuer,
    register: (metadata: unknown, address: string) => registered.register(metadata, address),

    /** What an account is asked to agree to; throws an OAuthError where nobody may be led back. */
    readRequest: (sent: Parameters, accountId: string) =>
      readAuthorizationRequest(sent, resource(), (clientId) => findClient(clientId, accountId)),

    /** Connects the client for the account of the person who acts; answers where to lead the browser. */
    async allow(
      actor: Actor & { readonly accountId: string },
      request: AuthorizationRequest,
      projectId: string,
    ): Promise<string> {
      const { accountId } = actor;
      const consent = { accountId, projectId, request, resource: resource() };
      const { code } = await audit.perform(
        db,
        actor,
        (transaction) => addConnection(transaction, deps, consent),
        ({ prefix }) => ({
          kind: 'connection.made',
          subjectId: accountId,
          detail: `${prefix}, ${new URL(request.redirectUri).host}`,
        }),
      );
      return wayBack(request, issuer(), { code });
    },

    /** Where to lead the browser with a refusal. */
    refusalOf: (
      request: AuthorizationRequest,
      { code, message }: Pick<OAuthError, 'code' | 'message'>,
    ): string => wayBack(request, issuer(), { error: code, error_description: message }),

    list: (accountId: string, sort?: ConnectionSort) => listConnections(db, accountId, clock(), sort),

    async end(actor: Actor, accountId: string, connectionId: string): Promise<void> {
      const own = await listConnections(db, accountId, clock());
      if (!own.some(({ id }) => id === connectionId)) return;
      await db.transaction((transaction) =>
        endConnection(transaction, deps, actor, { id: connectionId }, 'by its owner'),
      );
    },
  };
}

export type OAuth = ReturnType<typeof createOAuth>;

interface CleaningDeps extends Pick<OAuthDeps, 'db' | 'clock' | 'revokeKey' | 'audit'> {
  /** Who ends what has ended by itself. */
  readonly actor: Actor;
}

/** Removes what has ended, now and every hour until it is stopped. */
export function keepConnectionsClean(
  { db, clock, actor, ...deps }: CleaningDeps,
  onError: (error: unknown) => void,
) {
  const clean = async () => {
    const nowMs = clock();
    await removeEndedConnections(db, { ...deps, clock }, actor, nowMs);
    await removeOldClients(db, nowMs);
  };
  let cleaning = clean().catch(onError);
  const timer = setInterval(() => {
    cleaning = clean().catch(onError);
  }, CLEAN_INTERVAL_MS);
  timer.unref();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await cleaning;
    },
  };
}
