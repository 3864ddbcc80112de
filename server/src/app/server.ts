import type { FastifyInstance } from 'fastify';
import type { PasswordHasher } from '../accounts/password.js';
import { readLastBackupMs } from '../backup/last-backup.js';
import { addConsole } from '../console/console.js';
import type { Assets } from '../console/layout/assets.js';
import { notFoundPage } from '../console/not-found-page.js';
import { RejectionLimit } from '../http/auth/rejection-limit.js';
import { StrangerBudget } from '../http/auth/stranger-budget.js';
import { CompressedBodies } from '../http/compressed-bodies.js';
import { ProxyWatch } from '../http/connections.js';
import { ServedHosts } from '../http/served-hosts.js';
import { createHttpServer } from '../http/http-server.js';
import { addLinkRoute } from '../http/links/link-route.js';
import { addMcpRoute } from '../http/mcp/mcp-route.js';
import type { Metrics } from '../http/metrics.js';
import type { Readiness } from '../http/monitoring-routes.js';
import { addOAuthRoutes } from '../http/oauth/oauth-routes.js';
import { describeFailing } from '../capture/failure-watch.js';
import { createAddressPolicy } from '../capture/guard/address-policy.js';
import { createGuardedFetch } from '../capture/guard/guarded-fetch.js';
import { createHostResolvers } from '../capture/guard/host-resolver.js';
import { addKey } from '../keys/create-key.js';
import { findKeyProblem, findProjectName } from '../keys/key-finder.js';
import type { Notifications } from '../mail/notifications.js';
import { createOAuth } from '../oauth/oauth.js';
import { MeteredCalls } from '../operations/metered-call.js';
import { type ApiKeyOperations, apiKeyOperations } from '../operations/operations.js';
import { tokenOperations } from '../operations/token-operations.js';
import { readDiskSpace } from '../platform/folders.js';
import { openSystemNames } from '../platform/names/name-lookups.js';
import { openOutbound } from '../platform/outbound/outbound-proxy.js';
import type { Database } from '../storage/storage.js';
import { rateLimitMessageForPeople } from '../usage/rate-limit.js';
import { createUsageReader } from '../usage/usage-statistics.js';
import { allowedOrigins } from './addresses.js';
import { cacheBriefly } from './captures.js';
import type { Config } from './config.js';
import { consoleServices } from './console-services.js';
import type { AppDeps, Core } from './core.js';
import { linkMaker, openLinks } from './links.js';
import { servedNames } from './served-names.js';

/** State that changes while a server starts and stops. */
export interface ServerState {
  /** The URL at which the server's own machine reaches it; empty until it listens. */
  ownUrl: string;
  /** The address that tokens name as their issuer; empty until it is known. */
  issuer: string;
  isAccepting: boolean;
}

interface ServerDeps {
  readonly state: ServerState;
  readonly assets: Assets;
  readonly metrics: Metrics;
  readonly passwordHasher: PasswordHasher;
  readonly notifications: Notifications;
}

function watchMetrics(
  { metrics, passwordHasher, notifications }: Omit<ServerDeps, 'state' | 'assets'>,
  { dataDir }: Config,
  { capture, directories, countingProblem }: Core,
) {
  metrics.watchPasswords(passwordHasher);
  metrics.watchMail(notifications);
  metrics.watchCaptures(capture);
  metrics.watchDirectory(directories);
  metrics.watchStorage({
    databaseProblem: countingProblem,
    diskSpace: () => readDiskSpace(dataDir),
    lastBackupMs: () => readLastBackupMs(dataDir),
  });
}

/** The authorization server for MCP clients. It fetches client documents under the same rules as captures. */
function openOAuth(
  { capture: { allowAddresses }, outbound }: Config,
  { monotonicMs, randomBytes }: AppDeps,
  { installation, throttle, audit }: Core,
  issuer: () => string,
) {
  const { storage, clock, keyPepper } = installation;
  return createOAuth({
    db: storage.db,
    clock,
    monotonicMs,
    randomBytes,
    throttle,
    audit,
    issuer,
    createKey: (transaction, newKey) => addKey({ db: transaction, keyPepper, randomBytes, clock }, newKey),
    fetchDocument: createGuardedFetch(
      createHostResolvers({
        isAllowed: createAddressPolicy(allowAddresses),
        openLookups: openSystemNames(),
        outbound: openOutbound(outbound),
      }),
    ),
  });
}

/** Creates what routes and pages share: the limits per address, and the cache of compressed bodies. */
const createSharedParts = (monotonicMs: () => number) => ({
  rejectionLimit: new RejectionLimit(monotonicMs),
  strangers: new StrangerBudget(monotonicMs),
  bodies: new CompressedBodies(),
});

/** The state that /readyz reports: which parts of the server work, and the problems of the others. */
async function readinessOf(
  { directories, capture, countingProblem }: Core,
  { isAccepting }: ServerState,
): Promise<Readiness> {
  const { browser, networkProblem, failing } = capture.state();
  return {
    directory: !directories.isFallback(),
    databaseProblem: await countingProblem(),
    browser: browser === 'ready',
    networkProblem,
    // If the network is down, /readyz reports that instead.
    capturesProblem:
      failing === undefined || networkProblem !== undefined ? undefined : describeFailing(failing),
    accepting: isAccepting,
  };
}

const usageReaders = (db: Database) => ({
  readUsage: createUsageReader(db),
  readProjectName: (keyId: number) => findProjectName(db, keyId),
});

/** Returns every operation of interface A with its handler. */
function openOperations(core: Core, deps: AppDeps, state: ServerState): ApiKeyOperations {
  const { directories, capture, captureCaches, installation } = core;
  const makeLink = linkMaker(core, deps, () => state.issuer);
  return apiKeyOperations({
    directories,
    capture,
    captureCaches,
    makeLink,
    ...usageReaders(installation.storage.db),
  });
}

/** The server with all interfaces: both APIs, MCP, links, OAuth and the console. It does not listen yet. */
export function createServer(
  config: Config,
  deps: AppDeps,
  core: Core,
  { state, assets, metrics, passwordHasher, notifications }: ServerDeps,
): FastifyInstance {
  const { monotonicMs, randomBytes, log, logsRequests } = deps;
  const { installation, directories, tokens, meter, recorder, findKey } = core;
  const { storage, clock } = installation;
  const { publicUrl, trustProxy } = config;
  watchMetrics({ metrics, passwordHasher, notifications }, config, core);
  const proxyWatch = new ProxyWatch(trustProxy, log);
  const operations = openOperations(core, deps, state);
  const keyProblem = (keyId: number) => findKeyProblem({ db: storage.db, clock }, keyId);
  const readUsage = (keyId: number) => meter.readUsage(keyId);
  const metering = { counter: meter, recorder, monotonicMs, keyProblem, readUsage };
  const calls = new MeteredCalls(metering);
  const callsOfPeople = new MeteredCalls({ ...metering, limitMessage: rateLimitMessageForPeople });
  const oauth = openOAuth(config, deps, core, () => state.issuer);
  const shared = { ...createSharedParts(monotonicMs), operations, findKey, calls, monotonicMs, log, oauth };

  const server = createHttpServer({
    ...shared,
    clock,
    randomBytes,
    logsRequests,
    trustProxy,
    proxyWatch,
    tokenOperations: tokenOperations(tokens),
    verifyAccessToken: (presented) => tokens.verify(presented),
    publicKeys: () => tokens.publicKeys(),
    metrics,
    servedHosts: new ServedHosts(servedNames(config), log),
    metricsToken: config.metricsToken,
    readiness: () => readinessOf(core, state),
    isSample: () => directories.current().info.isSample,
    serverUrl: publicUrl ?? '/',
    notFoundPage: notFoundPage(assets),
  });
  addMcpRoute(server, {
    ...shared,
    keyProblem,
    perMinute: cacheBriefly(async (keyId: number) => {
      const admission = await readUsage(keyId);
      return admission === undefined ? 0 : admission.limits.perMinute;
    }, monotonicMs),
    allowedOrigins: allowedOrigins(config),
    directory: () => directories.current().info,
    linkedFiles: core.linkedFiles,
  });
  addLinkRoute(server, { ...shared, links: openLinks(core, deps, shared, config) });
  addOAuthRoutes(server, shared);
  addConsole(
    server,
    consoleServices(config, deps, core, {
      ...shared,
      calls: callsOfPeople,
      passwordHasher,
      notifications,
      publicUrl: () => publicUrl ?? state.ownUrl,
      isProxyIgnored: () => proxyWatch.isProxyIgnored,
    }),
    assets,
  );
  return server;
}
