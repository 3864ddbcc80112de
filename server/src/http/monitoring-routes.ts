import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../platform/log.js';
import { ServiceError } from '../platform/errors.js';
import { isLoopbackAddress } from '../platform/networks.js';
import type { Metrics } from './metrics.js';

/**
 * The results of the checks for /readyz. The server is ready if all pass; `networkProblem` and `capturesProblem` do not
 * count.
 */
export interface Readiness {
  readonly directory: boolean;
  /** Why requests cannot be counted, as a sentence; undefined if they can. */
  readonly databaseProblem: string | undefined;
  readonly browser: boolean;
  /** Why captures fail for lack of network; undefined unless the network is down. Does not make the server unready. */
  readonly networkProblem?: string | undefined;
  /**
   * Why captures fail one after the other, as a sentence; undefined if they do not, or if the network is down. Does not
   * make the server unready.
   */
  readonly capturesProblem?: string | undefined;
  /** False once the server was told to stop. */
  readonly accepting: boolean;
}

/**
 * Returns a function that logs when the failing checks change, not at every probe. It logs nothing while the server is
 * stopping.
 */
function watchReadiness(log: Log) {
  let known = '';
  return (failing: readonly string[], databaseProblem: string | undefined): void => {
    const names = failing.join(', ');
    if (names === known || failing.includes('accepting')) return;
    known = names;
    if (names === '') log.info({}, 'The server is ready again.');
    else log.warn({ failing, databaseProblem }, `The server is not ready: ${names}.`);
  };
}

/**
 * Adds GET /healthz, which always says that the process responds, and GET /readyz, which returns 503 if the server is
 * not ready.
 */
export function addHealthRoutes(
  server: FastifyInstance,
  readiness: () => Promise<Readiness>,
  log: Log,
): void {
  const noteChange = watchReadiness(log);
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', { config: { logsItself: true } }, async (request, reply) => {
    const { directory, databaseProblem, browser, accepting, networkProblem, capturesProblem } =
      await readiness();
    const checks = { directory, database: databaseProblem === undefined, browser, accepting };
    const failing = Object.entries(checks).flatMap(([name, isReady]) => (isReady ? [] : [name]));
    noteChange(failing, databaseProblem);
    // Lookups and the console work while captures fail, so these problems do not make the server unready.
    const known = {
      ...(networkProblem === undefined
        ? {}
        : { network: `Captures fail for lack of network: ${networkProblem}.` }),
      // Only a caller on this machine learns why captures of other users fail.
      ...(capturesProblem === undefined || !isLocalCaller(request) ? {} : { captures: capturesProblem }),
    };
    const details = Object.keys(known).length === 0 ? {} : { details: known };
    if (failing.length === 0) return { status: 'ready', checks, ...details };
    const why = databaseProblem === undefined ? '' : ` The database: ${databaseProblem}`;
    return reply.code(503).send({ error: `Not ready: ${failing.join(', ')}.${why}`, checks, ...details });
  });
}

/**
 * Whether a request has a proxy's headers. If a proxy on this machine is not trusted, its callers have a loopback
 * address.
 */
const isProxied = ({ headers }: FastifyRequest) =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;

/**
 * Whether the caller of a request is on this machine. False if the request has the headers of a proxy that is not
 * trusted, because the caller is not known then.
 */
function isLocalCaller(request: FastifyRequest): boolean {
  const isTrustedProxys = (request.ips?.length ?? 0) > 1;
  return isLoopbackAddress(request.ip) && (isTrustedProxys || !isProxied(request));
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const sent = Buffer.from(headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/**
 * GET /metrics in Prometheus's text format, for callers on this machine and, if there is a `token`, for those who send
 * it.
 */
export function addMetricsRoute(server: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  server.get('/metrics', async (request, reply) => {
    if (!isLocalCaller(request) && (token === undefined || !hasToken(request, token))) {
      throw new ServiceError(
        'unauthorized',
        'Only this machine may read the metrics. From elsewhere, send "Authorization: Bearer" with the token of SIGNPOST_METRICS_TOKEN.',
      );
    }
    return reply.header('Content-Type', metrics.contentType).send(await metrics.exposition());
  });
}
