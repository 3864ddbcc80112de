import { startCapture } from './capture/start-capture.js';
import type { CaptureService } from './capture/capture-service.js';
import { createFirstInstallation, type FirstInstallation } from './first-installation.js';
import type { Clock } from './clock.js';
import type { Config } from './config.js';
import { createHttpServer } from './http/http-server.js';
import { Metrics } from './http/metrics.js';
import { keyFinder } from './keys/key-finder.js';
import type { Log } from './log.js';
import { openInstallation } from './open-installation.js';
import { apiKeyOperations } from './operations/operations.js';
import { openDirectoryStore, type DirectoryStore } from './postcodes/directory-store.js';
import type { RandomBytes } from './random-bytes.js';
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
  /** What was made for an empty data folder; to be shown this once. */
  readonly first: FirstInstallation | undefined;
  readonly directories: DirectoryStore;
  readonly capture: CaptureService;
  /** Ends in order: captures under way are finished, counts are stored, the browser and the files are closed. */
  close(): Promise<void>;
}

const RECYCLE_AFTER_CAPTURES = 500;

/** A host that listens everywhere is reached locally at the loopback address. */
function localUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
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
  const first = await createFirstInstallation(storage.db, { keyPepper, randomBytes, clock });

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
  try {
    await server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await closeParts();
    throw error;
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const ownUrl = localUrl(config.host, port);
  capture.allowPage(`${ownUrl}/`);
  return {
    url: config.publicUrl ?? ownUrl,
    first,
    directories,
    capture,
    close: closeParts,
  };
}
