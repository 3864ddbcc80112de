import { startCapture } from './capture/start-capture.js';
import type { CaptureService } from './capture/capture-service.js';
import { createFirstInstallation, type FirstInstallation } from './first-installation.js';
import type { Clock } from './clock.js';
import type { Config } from './config.js';
import { createHttpServer } from './http/http-server.js';
import { Metrics } from './http/metrics.js';
import { keyFinder } from './keys/key-finder.js';
import { errorCode } from './error-code.js';
import type { Log } from './log.js';
import { openInstallation } from './open-installation.js';
import { apiKeyOperations } from './operations/operations.js';
import { openDirectoryStore, type DirectoryStore } from './postcodes/directory-store.js';
import type { RandomBytes } from './random-bytes.js';
import { ServiceError } from './service-error.js';
import { isAnswering } from './storage/storage.js';
import { countBatchIn } from './usage/count-batch.js';
import { Meter } from './usage/meter.js';
import { readUsageFrom } from './usage/read-usage.js';

/** What the server takes from the world around it. */
export interface Surroundings {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Log;
}

/** A server that answers requests. */
export interface App {
  /** Where it is reached, without a slash at the end. */
  readonly url: string;
  /** Where it is reached from this very machine; its front page may be captured at this address. */
  readonly localUrl: string;
  /** What was made for an empty data folder; to be shown this once. */
  readonly first: FirstInstallation | undefined;
  readonly directories: DirectoryStore;
  readonly capture: CaptureService;
  /** Ends in order: captures under way are finished, counts are stored, the browser and the files are closed. */
  close(): Promise<void>;
}

const RECYCLE_AFTER_CAPTURES = 500;

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it. End that program, or set SIGNPOST_PORT to a free port.',
  EACCES: 'this user may not. Set SIGNPOST_PORT to a port of 1024 or above.',
  EADDRNOTAVAIL: 'this machine does not have that address. Set SIGNPOST_HOST to one that it has.',
};

/** A host that listens everywhere is reached locally at the loopback address. */
function localUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** Says of the foreseen failures to listen what to change. */
function cannotListen(error: unknown, { host, port }: Config): unknown {
  const why = LISTEN_PROBLEMS[errorCode(error)];
  if (why === undefined) return error;
  return new ServiceError('internal', `Cannot listen on ${host}, port ${port}: ${why}`, { cause: error });
}

/** Composes the parts of the server and makes it listen. */
export async function startApp(config: Config, { clock, randomBytes, log }: Surroundings): Promise<App> {
  const { storage, keyPepper, warnings } = await openInstallation({
    dataDir: config.dataDir,
    secret: config.secret,
    clock,
    randomBytes,
    log: (message) => log.warn({}, message),
  });
  for (const warning of warnings) log.warn({}, warning);

  const [directories, capture, preparedQueries] = await Promise.all([
    openDirectoryStore({
      dataDir: config.dataDir,
      onSwap: ({ edition, rows }) => log.info({ edition, rows }, 'A new postcode directory is in use.'),
      onError: (error) => log.error({ err: error }, 'The postcode directory cannot be used.'),
    }),
    startCapture({
      ...config.capture,
      browserPath: config.browser.path,
      searchPath: config.browser.searchPath,
      withoutSandbox: config.browser.withoutSandbox,
      recycleAfter: RECYCLE_AFTER_CAPTURES,
      log,
    }),
    storage.openPreparedQueries(),
  ]);
  const meter = new Meter(
    countBatchIn(preparedQueries, storage.dialect, config.defaultLimits),
    clock,
    (error) => log.error({ err: error }, 'Requests cannot be counted.'),
  );

  const metrics = new Metrics();
  metrics.watchCaptures(capture);
  metrics.watchDirectory(directories);
  const operations = apiKeyOperations({ directories, capture, readUsage: readUsageFrom(storage.db) });
  let isAccepting = true;
  const server = createHttpServer({
    operations,
    findKeyId: keyFinder(storage.db, keyPepper),
    meter,
    metrics,
    metricsToken: config.metricsToken,
    readiness: async () => ({
      directory: true,
      database: await isAnswering(storage),
      browser: capture.state().browser === 'ready',
      accepting: isAccepting,
    }),
    serverUrl: config.publicUrl ?? '/',
    directoryInfo: () => directories.current().info,
    trustProxy: config.trustProxy,
    log,
  });

  const closeParts = async () => {
    isAccepting = false;
    await capture.close();
    await server.close();
    await meter.flush();
    await preparedQueries.close();
    directories.close();
    await storage.close();
  };
  let first: FirstInstallation | undefined;
  try {
    await server.listen({ host: config.host, port: config.port });
    // Only now: its password and key are shown once, so nothing may fail between making and showing them.
    first = await createFirstInstallation(storage.db, { keyPepper, randomBytes, clock });
  } catch (error) {
    await closeParts();
    throw cannotListen(error, config);
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const ownUrl = localUrl(config.host, port);
  capture.allowPage(`${ownUrl}/`);
  return {
    url: config.publicUrl ?? ownUrl,
    localUrl: ownUrl,
    first,
    directories,
    capture,
    close: closeParts,
  };
}
