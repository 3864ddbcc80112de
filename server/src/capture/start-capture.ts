import type { Log } from '../platform/log.js';
import type { HostAddress } from '../platform/names/hosts-file.js';
import { openSystemNames } from '../platform/names/name-lookups.js';
import { openOutbound } from '../platform/outbound/outbound-proxy.js';
import { DIRECT, type OutboundSettings } from '../platform/outbound/outbound-settings.js';
import type { RandomBytes } from '../platform/random.js';
import type { BrowserEndpoint } from './browser/browser-endpoint.js';
import type { HealthTimes } from './browser/browser-health.js';
import { startLocalBrowser } from './browser/local-browser.js';
import { connectRemoteBrowsers } from './browser/remote-browsers.js';
import { WarmPages } from './browser/warm-pages.js';
import type { CaptureService } from './capture-service.js';
import { serverStopping } from './capture-errors.js';
import { FailureWatch } from './failure-watch.js';
import { createAddressPolicy } from './guard/address-policy.js';
import { startEgressProxy } from './guard/egress-proxy.js';
import { createProxyPassword, type GuardAddress } from './guard/exposure.js';
import { createHostResolvers } from './guard/host-resolver.js';
import { createNetworkProbe, hasRoute, PROBE_TIMES } from './network/network-probe.js';
import { NetworkWatch } from './network/network-watch.js';
import { createAdFilters } from './page/ad-filters.js';
import { PageCapturer, type CaptureJob, type CaptureLimits } from './page/capture-page.js';
import { contentJob } from './page/read-content.js';
import { pdfJob } from './page/print-pdf.js';
import { screenshotJob } from './page/take-screenshot.js';
import { ANYONE, WorkPermits } from './page/work-permits.js';

/** The configuration of captures; plain data that can be passed between threads. */
export interface CaptureSettings extends CaptureLimits {
  /** The browser program to use; undefined to find one automatically. */
  readonly browserPath?: string | undefined;
  /** The folders to search for programs, as in PATH. */
  readonly searchPath: string;
  /** Remote browsers. If there are any, no browser is started on this machine. */
  readonly endpoints: readonly BrowserEndpoint[];
  /** The address at which remote browsers reach the guard; undefined for loopback. */
  readonly guardAddress?: GuardAddress | undefined;
  /** The interval and the time limit of the health checks of remote browsers; undefined for the defaults. */
  readonly health?: HealthTimes;
  /** The time limit for connecting to a remote browser and checking that it uses the guard. */
  readonly connectTimeoutMs?: number;
  /** The number of pages that may be open at the same time. */
  readonly concurrency: number;
  /** How many of the open pages may load, scroll or be captured at the same time; undefined for all of them. */
  readonly atWork?: number | undefined;
  readonly timeoutMs: number;
  /** Addresses and networks from which pages may be captured although they are not public. */
  readonly allowAddresses: readonly string[];
  /**
   * Names that are looked up to find out whether the server's own network is down. Without any names, the network is
   * never checked.
   */
  readonly probeNames: readonly string[];
  /** The paths of the filter lists that `blockAds` uses. */
  readonly blockLists: readonly string[];
  readonly recycleAfter: number;
  /** How long a browser for captures with credentials or steps keeps running while it has no capture. */
  readonly idleMs?: number;
  readonly withoutSandbox: boolean;
  /** How requests of pages leave the machine; undefined for directly. */
  readonly outbound?: OutboundSettings | undefined;
}

export interface CaptureOptions extends CaptureSettings {
  readonly randomBytes: RandomBytes;
  readonly log: Log;
  /** The program of the process that reads PDFs, if it is not in the usual place. */
  readonly pdfProcess?: URL;
  /** Looks up names instead of the hosts file and the name servers. */
  readonly resolve?: (host: string) => Promise<readonly HostAddress[]>;
  /** Name servers to use instead of the system's, such as "127.0.0.1:5353". */
  readonly nameServers?: readonly string[];
}

/** The name lookups for pages, and those for checking whether the network works. */
function nameLookups({ resolve, nameServers }: CaptureOptions) {
  if (resolve === undefined)
    return {
      ofPages: openSystemNames({ nameServers }),
      // The hosts file is left out, because it says nothing about the network.
      ofProbes: openSystemNames({ nameServers, hostsFile: null, times: PROBE_TIMES }),
    };
  const lookups = () => ({ lookUp: resolve, end: () => undefined });
  return { ofPages: lookups, ofProbes: lookups };
}

/** Starts the guard (the proxy that checks addresses), and the browsers that use it. */
async function startBehindGuard(options: CaptureOptions, onReady: () => void) {
  const { endpoints, guardAddress, randomBytes, log, probeNames } = options;
  const lookups = nameLookups(options);
  const outbound = openOutbound(options.outbound ?? DIRECT);
  const network = new NetworkWatch({
    probe: createNetworkProbe(lookups.ofProbes, hasRoute, outbound.proxy),
    names: probeNames,
    monotonicMs: () => performance.now(),
    log,
  });
  const isAllowed = createAddressPolicy(options.allowAddresses);
  const exposure =
    endpoints.length === 0 || guardAddress === undefined
      ? undefined
      : { address: guardAddress, password: createProxyPassword(randomBytes) };
  const guard = await startEgressProxy(
    createHostResolvers({
      isAllowed,
      openLookups: lookups.ofPages,
      outbound,
      onFound: (name) => network.noteFound(name),
    }),
    exposure,
  );
  try {
    const browsers =
      endpoints.length === 0
        ? await startLocalBrowser(options, guard.server)
        : await connectRemoteBrowsers({ ...options, onReady }, guard);
    return { guard, browsers, network };
  } catch (error) {
    await guard.close();
    throw error;
  }
}

/**
 * Starts the guard and the browsers. A browser that is not available is no error; it is tried again later. Throws a
 * ServiceError if the guard cannot listen, the configured browser is not a program, a filter list cannot be read, or
 * the file of extra certificates cannot be used.
 */
export async function startCapture(options: CaptureOptions): Promise<CaptureService> {
  let onSlotsChange: () => void = () => undefined;
  const adFilters = await createAdFilters(options.blockLists);
  const { guard, browsers, network } = await startBehindGuard(options, () => onSlotsChange());
  const { pools } = browsers;
  const allPools = [...new Set(Object.values(pools))];
  const failures = new FailureWatch(options.log);
  const { concurrency, atWork = concurrency } = options;
  const permits = new WorkPermits(atWork, () => performance.now());
  const capturer = new PageCapturer({
    permits,
    pools,
    warmPages: new WarmPages(Math.min(browsers.slotsEach, atWork), () => guard.openLane()),
    adFilters,
    network,
    failures,
    log: options.log,
    timeoutMs: options.timeoutMs,
    maxFileBytes: options.maxResultBytes,
    randomBytes: options.randomBytes,
  });
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  let captures = 0;

  const capture = async <Result extends object>(
    job: CaptureJob<Result>,
    signal: AbortSignal,
    user = ANYONE,
  ) => {
    if (isClosed) throw serverStopping();
    captures += 1;
    const capturing = capturer.capture(job, signal, user);
    running.add(capturing);
    return capturing.finally(() => running.delete(capturing));
  };

  return {
    screenshot: (request, signal, user) => capture(screenshotJob(request, options), signal, user),
    pdf: (request, signal, user) => capture(pdfJob(request, options), signal, user),
    content: (request, signal, user) => capture(contentJob(request, options), signal, user),
    state: () => ({
      // The state of the plain browser, because local browsers of the other kinds run only while captures need them.
      browser: pools.plain.state,
      isolationProblem: pools.isolated.hasFailed
        ? (pools.isolated.problem?.why ?? 'the browser for them does not start')
        : undefined,
      program: browsers.describe(),
      slots: browsers.slots(),
      active: running.size,
      working: permits.taken,
      captures,
      restarts: allPools.reduce((sum, { restarts }) => sum + restarts, 0),
      endpoints: browsers.endpoints(),
      networkProblem: network.problem,
      browserProblem: pools.plain.problem,
      failing: failures.failing,
    }),
    onSlotsChange: (listener) => (onSlotsChange = listener),
    allowPage: (url) => guard.allowPage(url),
    async close() {
      isClosed = true;
      network.close();
      await Promise.allSettled(running);
      await capturer.pagesClosed();
      await Promise.all(allPools.map((pool) => pool.close()));
      await guard.close();
    },
  };
}
