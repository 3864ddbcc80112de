import { createPasswordSemaphore } from '../accounts/password.js';
import { readCaptureShare } from '../accounts/capture-share.js';
import { queueCaptures, type CaptureQueue } from '../capture/capture-queue.js';
import type { CaptureService } from '../capture/capture-service.js';
import type { CaptureSettings } from '../capture/start-capture.js';
import { bootstrapInstallation, type BootstrapCredentials } from './bootstrap.js';
import type { Clock } from '../platform/clock.js';
import { type Config, localUrl } from './config.js';
import { findAssets } from '../console/layout/assets.js';
import { addConsole } from '../console/console.js';
import { notFoundPage } from '../console/not-found-page.js';
import { createConsoleDeps } from './console-deps.js';
import { closeAfterAnswers } from '../http/connections.js';
import { createHttpServer } from '../http/http-server.js';
import { Metrics } from '../http/metrics.js';
import { addMcpRoute } from '../http/mcp/mcp-route.js';
import { Refusals } from '../http/auth/refusals.js';
import { ProxyWatch } from '../http/proxy-watch.js';
import { isKeyLive, createKeyFinder } from '../keys/key-finder.js';
import { errorCode, ServiceError } from '../platform/errors.js';
import type { Log } from '../platform/log.js';
import { openInstallation, type OpenedInstallation } from './open-installation.js';
import { DisposalStack } from '../platform/disposal-stack.js';
import { openTokens } from './open-tokens.js';
import { apiKeyOperations, tokenOperations } from '../operations/operations.js';
import { openDirectoryStore, type DirectoryStore } from '../postcodes/directory-store.js';
import type { RandomBytes } from '../platform/random.js';
import { allowedMcpCallers } from './mcp-allowed-callers.js';
import { serverLockIn } from '../storage/sqlite/database-file.js';
import { takeServerLock, type ServerLock } from '../storage/sqlite/server-lock.js';
import type { Database } from '../storage/storage.js';
import { probeWrite, writeProblem } from '../storage/write-probe.js';
import { createThrottle } from '../throttle/throttle.js';
import { agreeOnIssuer, storeIssuer } from '../tokens/tokens.js';
import { countBatchIn } from '../usage/count-batch.js';
import { CountReadiness } from '../usage/count-readiness.js';
import { Meter } from '../usage/meter.js';
import { keepMinuteHistoryShort } from '../usage/minute-history.js';
import { rememberBriefly } from '../platform/remember-briefly.js';
import { createUsageReader } from '../usage/usage-statistics.js';

/** What the server takes from the world around it. */
export interface AppDeps {
  readonly clock: Clock;
  /** Milliseconds since some moment, which no change of the machine's clock moves. */
  readonly monotonicMs: () => number;
  /** Resolves once that many milliseconds have passed. */
  readonly pause: (ms: number) => Promise<void>;
  readonly randomBytes: RandomBytes;
  readonly log: Log;
  /** Starts what takes captures: in a thread of its own, or in the one that calls. */
  readonly startCapture: (settings: CaptureSettings) => Promise<CaptureService>;
  /** Aborted where the server is told to stop before it has started. */
  readonly signal?: AbortSignal;
}

/** A server that answers requests. */
export interface App {
  /** Where it is reached, without a slash at the end. */
  readonly url: string;
  /** Where it is reached from this very machine; its front page may be captured at this address. */
  readonly localUrl: string;
  /** What was made for an empty data folder; to be shown this once. */
  readonly first: BootstrapCredentials | undefined;
  readonly directories: DirectoryStore;
  readonly capture: CaptureQueue;
  /**
   * Ends in order: after the delay in which balancers notice, captures under way are finished, counts are stored, the
   * browser and the files are closed.
   */
  close(): Promise<void>;
}

const RECYCLE_AFTER_CAPTURES = 500;

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it. End that program, or set SIGNPOST_PORT to a free port.',
  EACCES: 'this user may not. Set SIGNPOST_PORT to a port of 1024 or above.',
  EADDRNOTAVAIL: 'this machine does not have that address. Set SIGNPOST_HOST to one that it has.',
  EAFNOSUPPORT: 'this machine has no addresses of that kind. Set SIGNPOST_HOST to one that it has.',
  EINVAL: 'that address needs its network interface, as in "fe80::1%eth0". Set SIGNPOST_HOST to it.',
  ENOTFOUND: 'the name is not found. Set SIGNPOST_HOST to a name or an address of this machine.',
  EAI_AGAIN: 'the name cannot be looked up now. Set SIGNPOST_HOST to an address of this machine.',
};

/** Says of the foreseen failures to listen what to change. */
function cannotListen(error: unknown, { host, port }: Config): unknown {
  const why = LISTEN_PROBLEMS[errorCode(error)];
  if (why === undefined) return error;
  return new ServiceError('internal', `Cannot listen on ${host}, port ${port}: ${why}`, { cause: error });
}

/** Opens the database for a server; of those with a SQLite file only one at a time may. */
async function openForServer(config: Config, { log, ...surroundings }: AppDeps) {
  const { dataDir, databaseUrl, secret } = config;
  const lock: ServerLock | undefined =
    databaseUrl === undefined ? await takeServerLock(serverLockIn(dataDir)) : undefined;
  try {
    const installation: OpenedInstallation = await openInstallation({
      ...surroundings,
      dataDir,
      databaseUrl,
      secret,
      log: (message) => log.warn({}, message),
    });
    const close = async () => {
      await installation.storage.close();
      await lock?.release();
    };
    return { installation, close };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/**
 * The address that tokens name, once the server listens at its own. Servers that share a database and were told no
 * public address agree on that of the first.
 */
async function chooseIssuer(db: Database, { publicUrl, databaseUrl }: Config, ownUrl: string, log: Log) {
  if (publicUrl !== undefined || databaseUrl === undefined) {
    await storeIssuer(db, publicUrl ?? ownUrl);
    return publicUrl ?? ownUrl;
  }
  const issuer = await agreeOnIssuer(db, ownUrl);
  if (issuer !== ownUrl) {
    log.warn(
      { issuer },
      'Tokens name the server that started first, since no public address is set: set SIGNPOST_PUBLIC_URL, to the same ' +
        'on all servers.',
    );
  }
  return issuer;
}

/** Composes the parts of the server and makes it listen; where that fails, what was opened is closed again. */
export async function startApp(config: Config, surroundings: AppDeps): Promise<App> {
  const open = new DisposalStack();
  try {
    return await compose(config, surroundings, open);
  } catch (error) {
    await open.close().catch((err: unknown) => surroundings.log.error({ err }, 'A part did not close.'));
    throw error;
  }
}

async function compose(config: Config, surroundings: AppDeps, open: DisposalStack): Promise<App> {
  const { monotonicMs, pause, randomBytes, log, startCapture, signal } = surroundings;
  const assets = findAssets();
  const { installation, close: closeInstallation } = await openForServer(config, surroundings);
  open.add(closeInstallation);
  const { storage, clock, keyPepper, warnings } = installation;
  for (const warning of warnings) log.warn({}, warning);

  let ownUrl = '';
  // Known before the server listens where it is configured, so that no right token is refused meanwhile.
  let issuer = config.publicUrl ?? '';
  const passwordSemaphore = createPasswordSemaphore();
  const throttle = createThrottle({ db: storage.db, clock });
  const opening = [
    openDirectoryStore({
      dataDir: config.dataDir,
      onSwap: ({ edition, rows }) => log.info({ edition, rows }, 'A new postcode directory is in use.'),
      onError: (error) => log.error({ err: error }, 'The postcode directory cannot be used.'),
    }),
    startCapture({ ...config.capture, ...config.browser, recycleAfter: RECYCLE_AFTER_CAPTURES }),
    storage.openPreparedQueries(),
    openTokens(installation, { clock, randomBytes, throttle, issuer: () => issuer }),
  ] as const;
  await open.addAll(opening);
  const [directories, captureService, preparedQueries, openedTokens] = await Promise.all(opening);
  signal?.throwIfAborted();
  const { tokens } = openedTokens;
  const shareOfKey = rememberBriefly(
    (keyId) => readCaptureShare(storage.db, Number(keyId), config.capturesPerAccount),
    monotonicMs,
  );
  const capture = queueCaptures(captureService, {
    queue: config.capture.queue,
    shareOf: ({ id }) => shareOfKey(String(id)),
  });
  const counting = new CountReadiness({
    probe: () => probeWrite(preparedQueries, monotonicMs()),
    problemOf: writeProblem,
    monotonicMs,
    onFailure: ({ problem, cause }) =>
      log.error({ err: cause }, `Nothing can be stored in the database. ${problem}`),
  });
  const meter = new Meter(
    counting.watch(countBatchIn(preparedQueries, storage.dialect, config.defaultLimits)),
    clock,
    (error) => log.error({ err: error }, 'Requests cannot be counted.'),
  );
  open.add(() => meter.flush());
  const minuteHistory = keepMinuteHistoryShort(storage.db, clock, (error) =>
    log.warn({ err: error }, 'Old minutes of the usage cannot be removed; this is tried again in an hour.'),
  );
  open.add(() => minuteHistory.stop());

  const refusals = new Refusals(monotonicMs);
  const proxyWatch = new ProxyWatch(config.trustProxy, log);
  const findKey = createKeyFinder(storage.db, keyPepper);
  const metrics = new Metrics();
  metrics.watchCaptures(capture);
  metrics.watchDirectory(directories);
  const operations = apiKeyOperations({ directories, capture, readUsage: createUsageReader(storage.db) });
  let isAccepting = true;
  const server = createHttpServer({
    operations,
    tokenOperations: tokenOperations(tokens),
    verifyAccessToken: (presented) => tokens.verify(presented),
    publicKeys: () => tokens.publicKeys(),
    findKey,
    meter,
    refusals,
    metrics,
    metricsToken: config.metricsToken,
    readiness: async () => ({
      directory: !directories.isStandIn(),
      databaseProblem: await counting.problem(),
      browser: capture.state().browser === 'ready',
      accepting: isAccepting,
    }),
    serverUrl: config.publicUrl ?? '/',
    notFoundPage: notFoundPage(assets),
    trustProxy: config.trustProxy,
    proxyWatch,
    log,
  });
  addMcpRoute(server, {
    operations,
    findKey,
    isKeyLive: (keyId) => isKeyLive(storage.db, keyId),
    meter,
    monotonicMs,
    allowed: allowedMcpCallers(config),
    directory: () => directories.current().info,
    log,
  });
  addConsole(
    server,
    createConsoleDeps({
      db: storage.db,
      clock,
      randomBytes,
      keyPepper,
      formKey: installation.formKey.export().toString('hex'),
      throttle,
      passwordSemaphore,
      refusals,
      tokens,
      meter,
      operations,
      directories,
      capture,
      defaultLimits: config.defaultLimits,
      capturesPerAccount: config.capturesPerAccount,
      isSignUpOpen: config.isSignUpOpen,
      publicUrl: () => config.publicUrl ?? ownUrl,
      isProxyIgnored: () => proxyWatch.isProxyIgnored,
      isHttps: config.publicUrl?.startsWith('https:') ?? false,
      log,
    }),
    assets,
  );

  open.add(async () => {
    // First: while the server still listens, what is under way is answered, and what comes is told that it stops.
    await capture.close();
    await server.close();
  });
  await server.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw cannotListen(error, config);
  });
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  ownUrl = localUrl(config.host, port);
  issuer = await chooseIssuer(storage.db, config, ownUrl, log);
  signal?.throwIfAborted();
  // Only now: its password and key are shown once, so nothing may fail between making and showing them.
  const first = await bootstrapInstallation(storage.db, { keyPepper, randomBytes, clock, passwordSemaphore });
  for (const path of ['/', ...assets.names.map((name) => assets.prefix + name)])
    capture.allowPage(ownUrl + path);
  return {
    url: config.publicUrl ?? ownUrl,
    localUrl: ownUrl,
    first,
    directories,
    capture,
    close: async () => {
      isAccepting = false;
      closeAfterAnswers(server.server);
      if (config.stopDelayMs > 0) await pause(config.stopDelayMs);
      await open.close();
    },
  };
}
