import type { Backend } from 'signpost-mcp';
import { queueCaptures, type CaptureQueue } from '../capture/capture-queue.js';
import type { Clock } from '../platform/clock.js';
import { RECYCLE_AFTER_CAPTURES } from './captures.js';
import type { Config } from './config.js';
import type { Log } from '../platform/log.js';
import { apiKeyOperations } from '../operations/operations.js';
import { MeteredCalls } from '../operations/metered-call.js';
import { createCaptureCaches } from '../operations/capture-cache.js';
import { operationsBackend } from '../operations/operations-backend.js';
import type { DirectoryInfo } from '../postcodes/table/directory-data.js';
import { ServiceError } from '../platform/errors.js';
import { openDirectoryStore } from '../postcodes/directory-store.js';
import type { RandomBytes } from '../platform/random.js';
import { ProcessUsage } from '../usage/process-usage.js';

interface McpAppDeps {
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly randomBytes: RandomBytes;
  readonly log: Log;
}

/** Stands for the API key in calls over stdio, which need none. */
const NO_KEY = { id: 0, accountId: '' };

/** The parts that serve one MCP client over stdio, without a server, keys or request limits. */
export interface McpApp {
  readonly backend: Backend;
  directory(): DirectoryInfo;
  close(): Promise<void>;
}

/** Composes what the MCP tools need. The first capture starts the browser. */
export async function startMcpApp(config: Config, deps: McpAppDeps): Promise<McpApp> {
  const { clock, monotonicMs, log } = deps;
  const directories = await openDirectoryStore({
    dataDir: config.dataDir,
    onSwap: ({ edition, rows }) => log.info({ edition, rows }, 'A postcode directory is in use.'),
    onError: (error) => log.error({ err: error }, 'The postcode directory cannot be used.'),
  });
  let started: Promise<CaptureQueue> | undefined;
  const capture = () => {
    started ??= startBrowser(config, deps).catch((error: unknown) => {
      started = undefined;
      throw error;
    });
    return started;
  };
  const usage = new ProcessUsage(clock);
  const operations = apiKeyOperations({
    directories,
    capture: {
      // Reserves nothing before the request is validated, because there are no other callers.
      reserve: () =>
        Promise.resolve({
          accountId: NO_KEY.accountId,
          quota: 'whole',
          run: async (signal, work) => (await (await capture()).reserve(NO_KEY)).run(signal, work),
          release: () => undefined,
        }),
      screenshot: async (request, signal) => (await capture()).screenshot(request, signal),
      pdf: async (request, signal) => (await capture()).pdf(request, signal),
      content: async (request, signal) => (await capture()).content(request, signal),
    },
    readUsage: (admission) => usage.read(admission),
    readProjectName: () => Promise.resolve(undefined),
    captureCaches: createCaptureCaches(monotonicMs, config.cacheBytes),
    makeLink: () => Promise.reject(new ServiceError('notFound', 'Links to captures need a server.')),
  });
  const calls = new MeteredCalls({ counter: usage, monotonicMs });
  return {
    backend: operationsBackend(operations, (bound, request, signal, onAdmission) =>
      calls.perform(NO_KEY, bound, request, { signal, onAdmission }),
    ),
    directory: () => directories.current().info,
    async close() {
      await directories.close();
      await started?.then((service) => service.close());
    },
  };
}

async function startBrowser(
  { capture, browser }: Config,
  { monotonicMs, randomBytes, log }: McpAppDeps,
): Promise<CaptureQueue> {
  // Loaded with the first capture, so that a client that only looks up postcodes gets its first response sooner.
  const { startCapture } = await import('../capture/start-capture.js');
  const service = await startCapture({
    ...capture,
    ...browser,
    recycleAfter: RECYCLE_AFTER_CAPTURES,
    randomBytes,
    log,
  });
  return queueCaptures(service, { queue: capture.queue, quotaOf: () => 'whole', monotonicMs });
}
