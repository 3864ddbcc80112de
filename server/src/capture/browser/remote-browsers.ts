import type { Log } from '../../platform/log.js';
import type { RandomBytes } from '../../platform/random.js';
import { ServiceError } from '../../platform/errors.js';
import { forEachKind } from './browser-kind.js';
import type { Browser } from './browser.js';
import { connectBrowser, toEndpointProblem } from './connect-browser.js';
import type { BrowserEndpoint } from './browser-endpoint.js';
import { completeInTime, type HealthTimes } from './browser-health.js';
import { BrowserPool, type Browsers } from './browser-pool.js';
import { probeBrowser } from './probe-browser.js';
import { BrowserSupervisor } from './browser-supervisor.js';
import type { EgressProxy } from '../guard/egress-proxy.js';

interface RemoteOptions {
  readonly endpoints: readonly BrowserEndpoint[];
  readonly concurrency: number;
  readonly randomBytes: RandomBytes;
  readonly health?: HealthTimes;
  /** The time limit for connecting to one browser and checking it. */
  readonly connectTimeoutMs?: number;
  /** Called when a browser has become ready, so that more captures can run. */
  readonly onReady: () => void;
  readonly log: Log;
}

const RETRY_AFTER_SECONDS = 10;
const CONNECT_TIMEOUT_MS = 30_000;

const toNoBrowserError = () =>
  new ServiceError(
    'overloaded',
    'None of the remote browsers can be used at the moment. Try again in a few seconds. The operator finds the reason with "signpost doctor".',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

/**
 * One remote browser. `problem` says why the last failed attempt to connect to it failed; undefined while the browser
 * is ready, or if no attempt has failed.
 */
interface RemoteBrowser {
  readonly endpoint: BrowserEndpoint;
  readonly supervisor: BrowserSupervisor;
  readonly problem: () => string | undefined;
}

/** Connects to a browser and checks that its pages cannot bypass the guard. */
async function connectGuarded(
  endpoint: BrowserEndpoint,
  { randomBytes, connectTimeoutMs = CONNECT_TIMEOUT_MS }: RemoteOptions,
  guard: EgressProxy,
): Promise<Browser> {
  const connecting = connectBrowser(endpoint);
  const probing = connecting.then(async (browser) => {
    await probeBrowser(browser, { guard, randomBytes });
    return browser;
  });
  try {
    return await completeInTime(probing, connectTimeoutMs, 'The connection and the probe');
  } catch (error) {
    // Not awaited, because a browser that stalls does not close either.
    void connecting.then((browser) => browser.close()).catch(() => undefined);
    throw error;
  }
}

function superviseRemote(
  endpoint: BrowserEndpoint,
  { onReady, health, log }: RemoteOptions,
  connect: () => Promise<Browser>,
): RemoteBrowser {
  let problem: string | undefined;
  const supervisor = new BrowserSupervisor({
    name: `The browser at ${endpoint.label}`,
    launch: connect,
    explain: (error) => {
      const { message, detail } = toEndpointProblem(error, endpoint);
      problem = message;
      return {
        message: `The browser at ${endpoint.label} is not used: ${message}.`,
        reason: detail ?? message,
      };
    },
    // The connection is never recycled: a new one would lead to the same browser, which would free no memory.
    recycleAfter: Number.POSITIVE_INFINITY,
    onReady,
    ...(health === undefined ? {} : { health }),
    log,
  });
  return { endpoint, supervisor, problem: () => (supervisor.state === 'ready' ? undefined : problem) };
}

/**
 * Connects to the remote browsers. No browser takes captures before it has passed a check that its pages cannot bypass
 * the guard.
 */
export async function connectRemoteBrowsers(options: RemoteOptions, guard: EgressProxy): Promise<Browsers> {
  const { endpoints, concurrency } = options;
  const remotes = endpoints.map((endpoint) =>
    superviseRemote(endpoint, options, () => connectGuarded(endpoint, options, guard)),
  );
  const pool = new BrowserPool({
    supervisors: remotes.map(({ supervisor }) => supervisor),
    startsOnDemand: false,
    toNoBrowserError,
  });
  await pool.start();
  // All kinds of captures share one pool, because operators start remote browsers with flags that the server cannot
  // see.
  const pools = forEachKind(() => pool);
  const slotsEach = Math.ceil(concurrency / endpoints.length);
  return {
    pools,
    slotsEach,
    // If no browser is ready, lets captures through, so that they fail with the message that says so.
    slots: () => (pool.ready === 0 ? concurrency : Math.min(concurrency, slotsEach * pool.ready)),
    describe: () => {
      const ready = remotes.filter(({ supervisor }) => supervisor.state === 'ready');
      const names = ready.map(({ endpoint, supervisor }) => `${endpoint.label} (${supervisor.version})`);
      return [`${ready.length} of ${endpoints.length} remote browsers`, ...names].join(', ');
    },
    endpoints: () =>
      remotes.map(({ endpoint, supervisor, problem }) => ({
        name: endpoint.label,
        browser: supervisor.state,
        active: supervisor.active,
        problem: problem(),
      })),
  };
}
