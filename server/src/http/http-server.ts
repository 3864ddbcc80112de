import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';
import { errorJson, LIMITS, type Operation, tooManyValues } from '@signpost/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { endConnection } from '../platform/end-connection.js';
import type { Log } from '../platform/log.js';
import type { ApiKeyOperations, TokenOperations } from '../operations/operations.js';
import { ServiceError } from '../platform/errors.js';
import type { Meter } from '../usage/meter.js';
import type { PublicJwk } from '../tokens/signing-keys.js';
import {
  accessTokenAuthentication,
  bodyAuthentication,
  type VerifyAccessToken,
} from './auth/token-authentication.js';
import { apiKeyAuthentication, type FindKey } from './auth/api-key-authentication.js';
import { closeUnreadConnections, endAllSoon, limitChunks, watchRequestsAhead } from './connections.js';
import { hasLongRest, sendError, toServiceError } from './errors.js';
import { addHealthRoutes, addMetricsRoute, type Readiness } from './monitoring-routes.js';
import { addJwksRoute, openApiDocument } from './published-documents.js';
import type { Metrics } from './metrics.js';
import { addOperationRoute } from './operation-route.js';
import type { ProxyWatch } from './proxy-watch.js';
import type { Refusals } from './auth/refusals.js';
import './request-state.js';

/** Slower answers than this are logged one by one; captures are expected to take some seconds. */
const SLOW_MS = 10_000;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Node looks for requests that take too long every 30 seconds, unless told otherwise. */
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;
const UNREAD_ANSWER_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 72_000;

/** A page that is the same for everybody. */
export interface StaticPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpServerDeps {
  readonly operations: ApiKeyOperations;
  readonly tokenOperations: TokenOperations;
  readonly verifyAccessToken: VerifyAccessToken;
  /** The keys by which other services verify access tokens. */
  readonly publicKeys: () => Promise<readonly PublicJwk[]>;
  readonly findKey: FindKey;
  readonly meter: Meter;
  readonly refusals: Refusals;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly readiness: () => Promise<Readiness>;
  /** Where the OpenAPI document says that the server is. */
  readonly serverUrl: string;
  /** What people see who follow a link that leads nowhere. */
  readonly notFoundPage: StaticPage;
  readonly trustProxy: readonly string[];
  readonly proxyWatch: ProxyWatch;
  readonly log: Log;
}

/** The HTTP server with every route; it does not listen yet. */
export function createHttpServer(parts: HttpServerDeps): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: LIMITS.bodyBytes.max,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: UNREAD_ANSWER_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      requireHostHeader: false,
    },
    trustProxy: parts.trustProxy.length === 0 ? false : [...parts.trustProxy],
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler,
    frameworkErrors: (error, _request, reply) => sendError(reply, toServiceError(error)),
  });

  takeJsonAlone(server);
  server.decorateRequest('admission', null);
  server.decorateRequest('reservation', undefined);
  server.decorateRequest('verified', null);
  server.decorateRequest('mcpKey', null);
  server.decorateRequest('refusal', null);
  server.setErrorHandler((error, request, reply) => {
    const refusal = parts.refusals.judge(request, toServiceError(error, request.routeOptions.bodyLimit));
    request.refusal = refusal;
    // Who is told to wait is not told how to authenticate.
    if (refusal.kind === 'rateLimited') reply.removeHeader('WWW-Authenticate');
    if (hasLongRest(request)) reply.header('Connection', 'close');
    sendError(reply, refusal);
  });
  const isTooFarAhead = watchRequestsAhead();
  server.addHook('onRequest', (request, reply, done) => {
    if (isTooFarAhead(request.raw, reply.raw)) {
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    limitChunks(request.raw, request.routeOptions.bodyLimit);
    parts.proxyWatch.look(request.headers);
    done();
  });
  server.addHook('onResponse', closeRequest(parts));

  const methodsOf = noteMethods(server);
  addOperationRoutes(server, parts);
  const served = servedBy(parts);
  addJwksRoute(server, parts.publicKeys);
  addHealthRoutes(server, parts.readiness);
  addMetricsRoute(server, parts.metrics, parts.metricsToken);
  const document = openApiDocument(served, parts.serverUrl);
  server.get('/openapi.json', () => document);
  refuseUnknownPaths(server, methodsOf, parts.notFoundPage);
  refuseExpectations(server);
  closeUnreadConnections(server.server);
  server.addHook('preClose', (done) => {
    endAllSoon(server.server);
    done();
  });
  return server;
}

/** Fastify takes plain text as well, and parses JSON however full it is. */
function takeJsonAlone(server: FastifyInstance): void {
  server.removeContentTypeParser(['text/plain', 'application/json']);
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    const problem = tooManyValues(body);
    if (problem === undefined) void parse(request, body, done);
    else done(new ServiceError('invalidRequest', problem));
  });
}

function addOperationRoutes(server: FastifyInstance, parts: HttpServerDeps): void {
  const { operations, tokenOperations } = parts;
  for (const [id, bound] of Object.entries(operations)) {
    const byApiKey = apiKeyAuthentication(parts.findKey, parts.meter, bound.reserve);
    addOperationRoute(server, id, bound, byApiKey);
  }
  const byAccessToken = accessTokenAuthentication(parts.verifyAccessToken);
  for (const [id, bound] of Object.entries(tokenOperations.accessToken))
    addOperationRoute(server, id, bound, byAccessToken);
  for (const [id, bound] of Object.entries(tokenOperations.body))
    addOperationRoute(server, id, bound, bodyAuthentication(parts.refusals));
}

/** Every operation that is served, by its identifier. */
const servedBy = ({ operations, tokenOperations }: HttpServerDeps): Record<string, Operation> =>
  Object.fromEntries(
    Object.entries({ ...operations, ...tokenOperations.accessToken, ...tokenOperations.body }).map(
      ([id, { operation }]) => [id, operation],
    ),
  );

/** The hook that ends a request: its time goes to the meter and the metrics, failures and slow ones to the log. */
function closeRequest({ meter, metrics, log }: HttpServerDeps) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const elapsedMs = reply.elapsedTime;
    const operation = request.routeOptions.config.operationId ?? 'other';
    if (request.admission !== null) meter.addResponseTime(request.admission.keyId, elapsedMs);
    metrics.observeRequest(operation, reply.statusCode, elapsedMs);
    if (reply.statusCode >= 500 || elapsedMs > SLOW_MS) {
      const { refusal } = request;
      const fields = {
        operation,
        status: reply.statusCode,
        elapsedMs: Math.round(elapsedMs),
        keyId: request.admission?.keyId,
        accountId: request.verified?.identity.id,
        reason: refusal?.detail ?? refusal?.message,
        err: refusal?.kind === 'internal' ? refusal.cause : undefined,
      };
      if (reply.statusCode === 500) log.error(fields, 'A request failed.');
      else log.warn(fields, reply.statusCode >= 500 ? 'A request was not served.' : 'A request was slow.');
    }
    done();
  };
}

/** Which methods each path takes, pages and interfaces alike; filled while the routes are added. */
function noteMethods(server: FastifyInstance): ReadonlyMap<string, readonly string[]> {
  const methodsOf = new Map<string, string[]>();
  server.addHook('onRoute', ({ url, method }) => {
    const known = methodsOf.get(url) ?? [];
    const added = [method].flat().filter((one) => one !== 'HEAD' && !known.includes(one));
    methodsOf.set(url, [...known, ...added]);
  });
  return methodsOf;
}

/** Whether a browser asks for a page to show, and not a program for data. */
const isForPerson = ({ headers }: FastifyRequest) => /^text\/html\b/u.test(headers.accept ?? '');

/** Before the body is read: a wrong method is refused as such, whatever it sends. */
function refuseUnknownPaths(
  server: FastifyInstance,
  methodsOf: ReadonlyMap<string, readonly string[]>,
  notFoundPage: StaticPage,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const path = (request.url.split('?', 1)[0] ?? '').replace(/\/$/u, '');
    const methods = methodsOf.get(path) ?? [];
    if (methods.length === 0 && request.method === 'GET' && isForPerson(request)) {
      reply.code(404).headers(notFoundPage.headers).send(notFoundPage.html);
      return;
    }
    if (methods.length === 0) {
      done(new ServiceError('notFound', 'There is nothing at this path. /openapi.json lists what there is.'));
      return;
    }
    reply.header('Allow', methods.join(', '));
    const words = `${path} takes ${methods.join(' or ')}, not ${request.method}.`;
    done(new ServiceError('methodNotAllowed', words));
  });
}

/** Node answers an expectation that it does not know with an empty body. */
function refuseExpectations(server: FastifyInstance): void {
  const error = 'The Expect header of the request asks for what this server does not do.';
  const body = errorJson(error);
  server.server.on('checkExpectation', (_request, response) => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' };
    response.writeHead(417, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
  });
}

const clientErrors: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};

/** Answers what is not even HTTP; there is no request yet to reply to. */
function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = clientErrors[error.code ?? ''] ?? {
    status: 400,
    message: 'The request is not valid HTTP.',
  };
  const body = errorJson(message);
  endConnection(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
