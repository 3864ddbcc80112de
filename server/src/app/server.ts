import type { FastifyInstance } from 'fastify';
import { addConsole } from '../console/console.js';
import type { Assets } from '../console/layout/assets.js';
import { notFoundPage } from '../console/not-found-page.js';
import { Refusals } from '../http/auth/refusals.js';
import { createHttpServer } from '../http/http-server.js';
import { addMcpRoute } from '../http/mcp/mcp-route.js';
import { Metrics } from '../http/metrics.js';
import { ProxyWatch } from '../http/connections.js';
import { createKeyFinder, isKeyLive } from '../keys/key-finder.js';
import { MeteredCalls } from '../operations/metered-call.js';
import { apiKeyOperations, tokenOperations } from '../operations/operations.js';
import type { Semaphore } from '../platform/semaphore.js';
import { rateLimitMessageForPeople } from '../usage/rate-limit.js';
import { createUsageReader } from '../usage/usage-statistics.js';
import type { Config } from './config.js';
import { createConsoleDeps } from './console-deps.js';
import type { AppDeps, Core } from './core.js';
import { allowedMcpCallers } from './addresses.js';

/** What changes while a server starts and stops. */
export interface ServerState {
  /** Where it is reached from its own machine; empty until it listens. */
  ownUrl: string;
  /** The address that tokens name. */
  issuer: string;
  isAccepting: boolean;
}

interface ServerDeps {
  readonly state: ServerState;
  readonly assets: Assets;
  readonly passwordSemaphore: Semaphore;
}

function watchedMetrics({ capture, directories }: Core): Metrics {
  const metrics = new Metrics();
  metrics.watchCaptures(capture);
  metrics.watchDirectory(directories);
  return metrics;
}

/** The server with both interfaces, the MCP endpoint and the pages; it does not listen yet. */
export function createServer(
  config: Config,
  deps: AppDeps,
  core: Core,
  { state, assets, passwordSemaphore }: ServerDeps,
): FastifyInstance {
  const { monotonicMs, randomBytes, log } = deps;
  const { installation, directories, capture, throttle, tokens, meter } = core;
  const { storage, clock, keyPepper, formKey } = installation;
  const { defaultLimits, capturesPerAccount, isSignUpOpen, publicUrl, trustProxy } = config;
  const refusals = new Refusals(monotonicMs);
  const proxyWatch = new ProxyWatch(trustProxy, log);
  const findKey = createKeyFinder(storage.db, keyPepper);
  const operations = apiKeyOperations({ directories, capture, readUsage: createUsageReader(storage.db) });
  const calls = new MeteredCalls({ counter: meter, monotonicMs });
  const callsOfPeople = new MeteredCalls({
    counter: meter,
    monotonicMs,
    limitMessage: rateLimitMessageForPeople,
  });
  const shared = { operations, findKey, calls, refusals, monotonicMs, log };

  const server = createHttpServer({
    ...shared,
    trustProxy,
    proxyWatch,
    tokenOperations: tokenOperations(tokens),
    verifyAccessToken: (presented) => tokens.verify(presented),
    publicKeys: () => tokens.publicKeys(),
    metrics: watchedMetrics(core),
    metricsToken: config.metricsToken,
    readiness: async () => ({
      directory: !directories.isStandIn(),
      databaseProblem: await core.countingProblem(),
      browser: capture.state().browser === 'ready',
      accepting: state.isAccepting,
    }),
    serverUrl: publicUrl ?? '/',
    notFoundPage: notFoundPage(assets),
  });
  addMcpRoute(server, {
    ...shared,
    isKeyLive: (keyId) => isKeyLive(storage.db, keyId),
    allowed: allowedMcpCallers(config),
    directory: () => directories.current().info,
  });
  addConsole(
    server,
    createConsoleDeps({
      ...shared,
      calls: callsOfPeople,
      passwordSemaphore,
      ...{ clock, randomBytes, keyPepper, throttle, tokens, directories, capture },
      ...{ defaultLimits, capturesPerAccount, isSignUpOpen },
      db: storage.db,
      formKey: formKey.export().toString('hex'),
      publicUrl: () => publicUrl ?? state.ownUrl,
      isProxyIgnored: () => proxyWatch.isProxyIgnored,
      isHttps: publicUrl?.startsWith('https:') ?? false,
    }),
    assets,
  );
  return server;
}
