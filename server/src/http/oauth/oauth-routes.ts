import { parse } from 'node:querystring';
import formbody from '@fastify/formbody';
import {
  authorizationServerMetadata,
  type ErrorName,
  ERRORS,
  LIMITS,
  OAUTH_PATHS,
  type OAuthErrorCode,
  protectedResourceMetadata,
} from '@signpost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Actor } from '../../audit/audit.js';
import { OAuthError } from '../../oauth/oauth-error.js';
import type { OAuth } from '../../oauth/oauth.js';
import type { ServiceError } from '../../platform/errors.js';
import type { RejectionLimit } from '../auth/rejection-limit.js';
import type { StrangerBudget } from '../auth/stranger-budget.js';
import { originForHost } from '../../oauth/home-address.js';
import { hasLongRest, toServiceError } from '../errors.js';
import { allowCaching } from '../published-documents.js';
import '../request-state.js';

export interface OAuthRoutesDeps {
  readonly oauth: OAuth;
  readonly rejectionLimit: RejectionLimit;
  readonly strangers: StrangerBudget;
}

/** Pages of any origin may call these routes: they use nothing that a browser sends by itself, such as cookies. */
const FROM_ANYWHERE = { 'Access-Control-Allow-Origin': '*' } as const;
const PREFLIGHT = {
  ...FROM_ANYWHERE,
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  'Access-Control-Max-Age': '600',
} as const;

/**
 * The OAuth code for each kind of error that is not an OAuthError. Kinds that are missing here get `invalid_request`.
 */
const CODES: Partial<Record<ErrorName, OAuthErrorCode>> = {
  rateLimited: 'temporarily_unavailable',
  overloaded: 'temporarily_unavailable',
  internal: 'server_error',
};

/** An `error_description` must not contain double quotation marks (RFC 6749, section 5.2). */
const withoutQuotes = (message: string) => message.replaceAll('"', "'");

function sendRejection(reply: FastifyReply, rejection: ServiceError): FastifyReply {
  const { kind, message, retryAfterSeconds } = rejection;
  const error = rejection instanceof OAuthError ? rejection.code : (CODES[kind] ?? 'invalid_request');
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds);
  return reply.code(ERRORS[kind].status).send({ error, error_description: withoutQuotes(message) });
}

const form = z.record(z.string(), z.unknown()).catch({});
const parseForm = ({ body }: FastifyRequest) => form.parse(body);

/** The actor of a request. It has no account, because only the content of the request identifies the client. */
const actorOf = ({ ip: address }: FastifyRequest): Actor => ({ accountId: null, address, via: 'api' });

const { resource, protectedResource, authorizationServer, openIdConfiguration } = OAUTH_PATHS;

/**
 * The function that makes each metadata document, by path. Some clients append the path of the resource, and some put
 * it before `/.well-known`.
 */
const DOCUMENTS: Readonly<Record<string, (issuer: string, origin: string) => object>> = {
  [protectedResource]: protectedResourceMetadata,
  [protectedResource + resource]: protectedResourceMetadata,
  [authorizationServer]: authorizationServerMetadata,
  [authorizationServer + resource]: authorizationServerMetadata,
  [openIdConfiguration]: authorizationServerMetadata,
  [openIdConfiguration + resource]: authorizationServerMetadata,
  [resource + openIdConfiguration]: authorizationServerMetadata,
};

function addMetadata(server: FastifyInstance, { oauth, strangers }: OAuthRoutesDeps): void {
  for (const [path, documentOf] of Object.entries(DOCUMENTS))
    server.get(path, { onRequest: strangers.check }, (request, reply) => {
      const issuer = oauth.issuer();
      return allowCaching(reply)
        .header('Vary', 'Host')
        .send(documentOf(issuer, originForHost(issuer, request.headers.host)));
    });
}

function addEndpoints(server: FastifyInstance, { oauth, rejectionLimit }: OAuthRoutesDeps): void {
  const options = {
    bodyLimit: LIMITS.oauth.bodyBytes,
    onRequest: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) =>
      done(rejectionLimit.beforeBody(request)),
  };

  server.post(OAUTH_PATHS.register, options, async (request, reply) => {
    const { id, name, redirectUris } = await oauth.register(request.body, request.ip);
    return reply.code(201).send({
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });
  server.post(OAUTH_PATHS.token, options, (request) => oauth.issue(actorOf(request), parseForm(request)));
  server.post(OAUTH_PATHS.revoke, options, async (request, reply) => {
    await oauth.revoke(actorOf(request), parseForm(request));
    return reply.send({});
  });
}

/** Adds the routes that OAuth clients use without a person: for metadata, registration, tokens and their revocation. */
export function addOAuthRoutes(server: FastifyInstance, deps: OAuthRoutesDeps): void {
  server.register(async (scope) => {
    await scope.register(formbody, { parser: (body) => ({ ...parse(body) }) });
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(FROM_ANYWHERE);
      done();
    });
    scope.setErrorHandler((error, request, reply) => {
      const rejection = deps.rejectionLimit.errorToSend(
        request,
        toServiceError(error, request.routeOptions.bodyLimit),
      );
      request.rejection = rejection;
      if (hasLongRest(request)) reply.header('Connection', 'close');
      return sendRejection(reply, rejection);
    });
    addMetadata(scope, deps);
    addEndpoints(scope, deps);
    const { register, token, revoke } = OAUTH_PATHS;
    for (const path of [...Object.keys(DOCUMENTS), register, token, revoke])
      scope.options(path, (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
  });
}
