import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../platform/log.js';
import { ServiceError } from '../platform/errors.js';
import { isLoopbackAddress } from '../platform/networks.js';
import type { Metrics } from './metrics.js';

/** What a server needs to answer every request. */
export interface Readiness {
  readonly directory: boolean;
  /** Why no request can be counted, in a sentence; undefined where they can. */
  readonly databaseProblem: string | undefined;
  readonly browser: boolean;
  /** Why captures fail for lack of network; undefined unless it is down. The server is ready all the same. */
  readonly networkProblem?: string | undefined;
  /** False once the server has been told to stop. */
  readonly accepting: boolean;
}

/** Logs a change of what fails, and not each probe that finds it so; that a stopping server fails is no news. */
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

/** GET /healthz: the process answers. GET /readyz: everything that requests need is there. */
export function addHealthRoutes(
  server: FastifyInstance,
  readiness: () => Promise<Readiness>,
  log: Log,
): void {
  const noteChange = watchReadiness(log);
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', { config: { logsItself: true } }, async (_request, reply) => {
    const { directory, databaseProblem, browser, accepting, networkProblem } = await readiness();
    const checks = { directory, database: databaseProblem === undefined, browser, accepting };
    const failing = Object.entries(checks).flatMap(([name, isReady]) => (isReady ? [] : [name]));
    noteChange(failing, databaseProblem);
    // Lookups and pages of the console need no network: a balancer must not take such servers away.
    const details =
      networkProblem === undefined
        ? {}
        : { details: { network: `Captures fail for lack of network: ${networkProblem}.` } };
    if (failing.length === 0) return { status: 'ready', checks, ...details };
    const why = databaseProblem === undefined ? '' : ` The database: ${databaseProblem}`;
    return reply.code(503).send({ error: `Not ready: ${failing.join(', ')}.${why}`, checks, ...details });
  });
}

/** A reverse proxy that is not trusted makes every caller look local; its headers give it away. */
const cameThroughProxy = ({ headers }: FastifyRequest) =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const sent = Buffer.from(headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** GET /metrics in Prometheus's text format, for the machine itself or for anyone who has the token. */
export function addMetricsRoute(server: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  server.get('/metrics', async (request, reply) => {
    const isTrustedProxys = (request.ips?.length ?? 0) > 1;
    const isLocal = isLoopbackAddress(request.ip) && (isTrustedProxys || !cameThroughProxy(request));
    if (!isLocal && (token === undefined || !hasToken(request, token))) {
      throw new ServiceError(
        'unauthorized',
        'Only this machine may read the metrics. From elsewhere, send "Authorization: Bearer" with the token of SIGNPOST_METRICS_TOKEN.',
      );
    }
    return reply.header('Content-Type', metrics.contentType).send(await metrics.exposition());
  });
}
