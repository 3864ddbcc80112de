import { LIMITS, type Operation } from '@signpost/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Log } from '../platform/log.js';
import type { Clock } from '../platform/clock.js';
import type { RandomBytes } from '../platform/random.js';
import type { FindKey } from '../keys/key-finder.js';
import type { MeteredCalls } from '../operations/metered-call.js';
import type { ApiKeyOperations } from '../operations/operations.js';
import type { TokenOperations } from '../operations/token-operations.js';
import type { PublicJwk } from '../tokens/signing-keys.js';
import {
  accessTokenAuthentication,
  bodyAuthentication,
  type VerifyAccessToken,
} from './auth/token-authentication.js';
import { apiKeyAuthentication } from './auth/api-key-authentication.js';
import {
  closeUnreadConnections,
  closeAllLater,
  limitChunks,
  type ProxyWatch,
  watchRequestsAhead,
} from './connections.js';
import { endRequest } from './end-of-request.js';
import { hasLongRest, sendError, toServiceError } from './errors.js';
import { addJsonParser } from './json-body.js';
import { addHealthRoutes, addMetricsRoute, type Readiness } from './monitoring-routes.js';
import { addJwksRoute, addOpenApiRoute } from './published-documents.js';
import type { Metrics } from './metrics.js';
import { addOperationRoute } from './operation-route.js';
import type { RejectionLimit } from './auth/rejection-limit.js';
import type { StrangerBudget } from './auth/stranger-budget.js';
import type { CompressedBodies } from './compressed-bodies.js';
import type { ServedHosts } from './served-hosts.js';
import { createRequestIds } from './request-ids.js';
import {
  clientErrorHandler,
  headersOfAnswer,
  collectMethods,
  rejectNul,
  rejectExpectations,
  rejectUnknownPaths,
  type StaticPage,
} from './unserved-requests.js';
import './request-state.js';

const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that time out. Its default is every 30 seconds. */
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;
const UNREAD_ANSWER_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 72_000;
/**
 * More characters than Node accepts in the headers of a request, so that each route decides itself what to do with a
 * long parameter.
 */
const MAX_PARAMETER_CHARACTERS = 32_768;

export interface HttpServerDeps {
  readonly operations: ApiKeyOperations;
  readonly tokenOperations: TokenOperations;
  readonly verifyAccessToken: VerifyAccessToken;
  /** The keys with which other services verify access tokens. */
  readonly publicKeys: () => Promise<readonly PublicJwk[]>;
  readonly findKey: FindKey;
  /** Whether postcodes come from the built-in sample. */
  readonly isSample: () => boolean;
  readonly calls: MeteredCalls;
  readonly rejectionLimit: RejectionLimit;
  readonly strangers: StrangerBudget;
  readonly servedHosts: ServedHosts;
  readonly bodies: CompressedBodies;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly readiness: () => Promise<Readiness>;
  /** The URL of the server in the OpenAPI document. */
  readonly serverUrl: string;
  /** Shown at unknown addresses to browsers that send no cookie. */
  readonly notFoundPage: StaticPage;
  readonly trustProxy: readonly string[];
  readonly proxyWatch: ProxyWatch;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Log;
  /** Whether every request is logged. */
  readonly logsRequests: () => boolean;
}

/**
 * Creates the HTTP server with the routes of the operations, the published documents and the monitoring. The caller
 * adds the others. It does not listen yet.
 */
export function createHttpServer(deps: HttpServerDeps): FastifyInstance {
  const ids = createRequestIds(deps);
  const server = Fastify({
    logger: false,
    genReqId: ids.of,
    bodyLimit: LIMITS.bodyBytes.max,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: UNREAD_ANSWER_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      requireHostHeader: false,
    },
    trustProxy: deps.trustProxy.length === 0 ? false : [...deps.trustProxy],
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER_CHARACTERS },
    clientErrorHandler: clientErrorHandler(ids),
    frameworkErrors: (error, { id }, reply) =>
      sendError(reply.headers(headersOfAnswer(id)), toServiceError(error)),
  });

  addJsonParser(server, servedBy(deps));
  server.decorateRequest('meteredCall', null);
  server.decorateRequest('verified', null);
  server.decorateRequest('mcpKey', null);
  server.decorateRequest('rejection', null);
  server.decorateRequest('caller', null);
  addErrorHandler(server, deps);
  const isTooFarAhead = watchRequestsAhead();
  server.addHook('onRequest', (request, reply, done) => {
    if (isTooFarAhead(request.raw, reply.raw)) {
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    reply.headers(headersOfAnswer(request.id));
    limitChunks(request.raw, request.routeOptions.bodyLimit);
    deps.proxyWatch.inspect(request.headers);
    done();
  });
  server.addHook('onRequest', deps.servedHosts.check);
  server.addHook('preParsing', rejectNul);
  server.addHook('onResponse', endRequest(deps));

  const methodsOf = collectMethods(server);
  addOperationRoutes(server, deps);
  addJwksRoute(server, deps.strangers, deps.publicKeys);
  addHealthRoutes(server, deps.readiness, deps.log);
  addMetricsRoute(server, deps.metrics, deps.metricsToken);
  addOpenApiRoute(server, deps, servedBy(deps));
  rejectUnknownPaths(server, methodsOf, deps.notFoundPage);
  rejectExpectations(server, ids);
  closeUnreadConnections(server.server);
  server.addHook('preClose', (done) => {
    closeAllLater(server.server);
    done();
  });
  return server;
}

/**
 * Adds the handler that sends errors. If the RejectionLimit replaces an error by a 429, the 429 waits, so that other
 * requests need not.
 */
function addErrorHandler(
  server: FastifyInstance,
  { rejectionLimit, strangers }: Pick<HttpServerDeps, 'rejectionLimit' | 'strangers'>,
): void {
  server.setErrorHandler((error, request, reply) => {
    const serviceError = toServiceError(error, request.routeOptions.bodyLimit);
    const rejection = rejectionLimit.errorToSend(request, serviceError);
    request.rejection = rejection;
    const answer = () => {
      // A throttled caller needs no hint about how to authenticate.
      if (rejection.kind === 'rateLimited') reply.removeHeader('WWW-Authenticate');
      if (hasLongRest(request)) reply.header('Connection', 'close');
      sendError(reply, rejection);
    };
    if (rejection === serviceError) answer();
    else void strangers.awaitRejection().then(answer);
  });
}

function addOperationRoutes(server: FastifyInstance, deps: HttpServerDeps): void {
  const { operations, tokenOperations } = deps;
  for (const [id, bound] of Object.entries(operations)) {
    const byApiKey = apiKeyAuthentication(deps, bound);
    addOperationRoute(server, id, bound, byApiKey);
  }
  const byAccessToken = accessTokenAuthentication(deps.verifyAccessToken);
  for (const [id, bound] of Object.entries(tokenOperations.accessToken))
    addOperationRoute(server, id, bound, byAccessToken);
  for (const [id, bound] of Object.entries(tokenOperations.body))
    addOperationRoute(server, id, bound, bodyAuthentication(deps.rejectionLimit));
}

/** Every operation that the server serves, by its identifier. */
const servedBy = ({ operations, tokenOperations }: HttpServerDeps): Record<string, Operation> =>
  Object.fromEntries(
    Object.entries({ ...operations, ...tokenOperations.accessToken, ...tokenOperations.body }).map(
      ([id, { operation }]) => [id, operation],
    ),
  );
