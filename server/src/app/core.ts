import type { PasswordCost } from '../accounts/password.js';
import { type Audit, createAudit } from '../audit/audit.js';
import type { CaptureQueue } from '../capture/capture-queue.js';
import type { CaptureService } from '../capture/capture-service.js';
import type { CaptureSettings } from '../capture/start-capture.js';
import { createLinkedFiles, type LinkedFiles } from '../files/linked-files.js';
import type { Metrics } from '../http/metrics.js';
import { type CaptureCaches, createCaptureCaches } from '../operations/capture-cache.js';
import type { Clock } from '../platform/clock.js';
import type { DisposalStack } from '../platform/disposal-stack.js';
import type { Log } from '../platform/log.js';
import type { RandomBytes } from '../platform/random.js';
import { openDirectoryStore, type DirectoryStore } from '../postcodes/directory-store.js';
import { createKeyFinder, type FindKey } from '../keys/key-finder.js';
import { serverLockIn } from '../storage/sqlite/database-file.js';
import { takeServerLock, type ServerLock } from '../storage/sqlite/server-lock.js';
import { DirectoryImports, type RunImport } from '../postcodes/import/directory-imports.js';
import type { Database, PreparedQueries } from '../storage/storage.js';
import { probeWrite, writeProblem } from '../storage/write-probe.js';
import { createThrottle, type Throttle } from '../throttle/throttle.js';
import type { Tokens } from '../tokens/tokens.js';
import { type CountBatch, countBatchIn } from '../usage/admission-statement.js';
import { CountReadiness } from '../usage/count-readiness.js';
import { Meter } from '../usage/meter.js';
import { RequestRecorder } from '../usage/request-recorder.js';
import { queueForAccounts, RECYCLE_AFTER_CAPTURES } from './captures.js';
import type { Config } from './config.js';
import { openInstallation, openTokens, type OpenedInstallation } from './open-installation.js';

/** The dependencies of a server, such as clocks, randomness, the log, captures, and imports of postcode directories. */
export interface AppDeps {
  readonly clock: Clock;
  /** Milliseconds since some fixed moment. Changes to the machine's clock do not affect it. */
  readonly monotonicMs: () => number;
  /** Resolves once that many milliseconds have passed. */
  readonly pause: (ms: number) => Promise<void>;
  readonly randomBytes: RandomBytes;
  /** The cost of hashing a password, if not the default. */
  readonly passwordCost?: PasswordCost | undefined;
  readonly log: Log;
  /** Whether every request is logged. */
  readonly logsRequests: () => boolean;
  /** Starts the capture service, either in its own thread or in the calling one. */
  readonly startCapture: (settings: CaptureSettings) => Promise<CaptureService>;
  /** Imports postcode directories for the console. Runs in the background: no response waits for it. */
  readonly runImport: RunImport;
  /** Aborted if the server is told to stop before it has started. */
  readonly signal?: AbortSignal;
}

interface CoreDeps extends AppDeps {
  readonly metrics: Metrics;
}

/** The parts that the interfaces of the server share. */
export interface Core {
  readonly installation: OpenedInstallation;
  readonly directories: DirectoryStore;
  readonly directoryImports: DirectoryImports;
  readonly capture: CaptureQueue;
  readonly captureCaches: CaptureCaches;
  readonly throttle: Throttle;
  readonly tokens: Tokens;
  readonly meter: Meter;
  readonly recorder: RequestRecorder;
  readonly findKey: FindKey;
  /** Runs prepared statements, such as those that find keys and count requests. */
  readonly queries: PreparedQueries;
  readonly audit: Audit;
  readonly linkedFiles: LinkedFiles;
  /** Says why requests cannot be counted now; undefined if they can. */
  readonly countingProblem: () => Promise<string | undefined>;
}

/** Opens the database for a server. On SQLite, throws a ServiceError if another server uses the data folder. */
async function openForServer(config: Config, { log, ...deps }: AppDeps) {
  const { dataDir, databaseUrl, secret } = config;
  const lock: ServerLock | undefined =
    databaseUrl === undefined ? await takeServerLock(serverLockIn(dataDir)) : undefined;
  try {
    const installation = await openInstallation({
      ...deps,
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

/** Wraps `countBatch` so that each batch is recorded in the metrics. */
const recordingMetrics =
  (countBatch: CountBatch, metrics: Metrics, monotonicMs: () => number): CountBatch =>
  async (...args) => {
    const startedMs = monotonicMs();
    let isStored = false;
    try {
      const rows = await countBatch(...args);
      isStored = true;
      return rows;
    } finally {
      metrics.observeBatch(monotonicMs() - startedMs, isStored);
    }
  };

/** The meter of all keys, the recorder of the outcomes of requests, and the check whether requests can be counted. */
function openMeter(
  { storage, clock }: OpenedInstallation,
  queries: PreparedQueries,
  { defaultLimits, accountLimits }: Config,
  { monotonicMs, randomBytes, log, metrics }: CoreDeps,
) {
  const countBatch = countBatchIn(queries, storage.dialect, { key: defaultLimits, account: accountLimits });
  const readiness = new CountReadiness({
    probe: () => probeWrite(queries, monotonicMs()),
    problemOf: writeProblem,
    monotonicMs,
    onFailure: ({ problem, cause }) =>
      log.error({ err: cause }, `Nothing can be stored in the database. ${problem}`),
  });
  const meter = new Meter(
    readiness.watch(recordingMetrics(countBatch, metrics, monotonicMs)),
    clock,
    (error) => log.error({ err: error }, 'Requests cannot be counted.'),
  );
  const recorder = new RequestRecorder({
    queries,
    dialect: storage.dialect,
    clock,
    randomBytes,
    onFailure: (error) => log.error({ err: error }, 'The outcomes of requests cannot be stored.'),
  });
  const close = async () => {
    await meter.flush();
    await recorder.flush();
  };
  return { meter, recorder, countingProblem: () => readiness.problem(), close };
}

/** The imports of the console. A newly imported postcode directory is used at once, and the audit gets an entry. */
const openImports = (
  { dataDir }: Config,
  { runImport, log }: CoreDeps,
  {
    db,
    clock,
    audit,
    directories,
  }: Pick<Core, 'audit' | 'directories'> & Pick<OpenedInstallation, 'clock'> & { readonly db: Database },
) =>
  new DirectoryImports({
    dataDir,
    clock,
    log,
    run: runImport,
    onImported: async (actor, { source, edition }) => {
      await directories.refresh();
      await audit
        .record(db, actor, { kind: 'directory.imported', detail: `${source} ${edition}` })
        .catch((error: unknown) =>
          log.error({ err: error }, 'The import of a postcode directory is not entered in the audit.'),
        );
    },
  });

/**
 * Opens everything that the interfaces use, and adds each part to `open`, so that the caller can close all of them,
 * even if opening fails half-way.
 */
export async function openCore(
  config: Config,
  deps: CoreDeps,
  issuer: () => string,
  open: DisposalStack,
): Promise<Core> {
  const { monotonicMs, randomBytes, log, startCapture } = deps;
  const { installation, close } = await openForServer(config, deps);
  open.add(close);
  const { storage, clock, warnings } = installation;
  for (const warning of warnings) log.warn({}, warning);

  const throttle = createThrottle({ db: storage.db, clock });
  const opening = [
    openDirectoryStore({
      dataDir: config.dataDir,
      onSwap: ({ edition, rows }) => log.info({ edition, rows }, 'A new postcode directory is in use.'),
      onError: (error) => log.error({ err: error }, 'The postcode directory cannot be used.'),
    }),
    startCapture({ ...config.capture, ...config.browser, recycleAfter: RECYCLE_AFTER_CAPTURES }),
    storage.openPreparedQueries(),
    openTokens(installation, { clock, randomBytes, throttle, issuer }),
  ] as const;
  await open.addAll(opening);
  const [directories, captureService, queries, { tokens }] = await Promise.all(opening);
  const metering = openMeter(installation, queries, config, deps);
  open.add(metering.close);
  const capture = queueForAccounts(captureService, {
    db: storage.db,
    clock,
    monotonicMs,
    queue: config.capture.queue,
    capturesPerAccount: config.capturesPerAccount,
    observer: deps.metrics.captureObserver,
  });
  const captureCaches = createCaptureCaches(monotonicMs, config.cacheBytes);
  const audit = createAudit({ clock, randomBytes, log });
  const directoryImports = openImports(config, deps, { db: storage.db, clock, audit, directories });
  open.add(() => directoryImports.close());
  const linkedFiles = createLinkedFiles({ db: storage.db, clock, randomBytes, publicUrl: issuer });
  const findKey = createKeyFinder(queries, installation.keyPepper);
  const services = { throttle, tokens, audit, linkedFiles, findKey, queries };
  return { installation, directories, directoryImports, capture, captureCaches, ...services, ...metering };
}
