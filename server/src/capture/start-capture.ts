import type { Browser } from 'playwright';
import type { Log } from '../platform/log.js';
import type { RandomBytes } from '../platform/random.js';
import { ServiceError } from '../platform/errors.js';
import { toBrowserGone, BrowserGone } from './browser/browser-gone.js';
import type { BrowserEndpoint } from './browser/browser-endpoint.js';
import type { HealthTimes } from './browser/browser-health.js';
import type { Lease } from './browser/browser-supervisor.js';
import type { CaptureService } from './capture-service.js';
import { createAddressPolicy } from './guard/address-policy.js';
import { startEgressProxy } from './guard/egress-proxy.js';
import { createProxyCredentials, type GuardAddress } from './guard/exposure.js';
import { createHostResolver, type Resolve } from './guard/connect-upstream.js';
import { startLocalBrowser } from './browser/local-browser.js';
import { CaptureDeadline } from './page/capture-deadline.js';
import { onLoadedPage } from './page/load-page.js';
import { openPage, type OpenPage } from './page/open-page.js';
import { fitPage, type PreparedPage, WarmPages, type Viewport } from './browser/warm-pages.js';
import { countPages, printPdf } from './page/print-pdf.js';
import { NOTE_SCROLL_WATCHERS, takeScreenshot } from './page/take-screenshot.js';
import { connectRemoteBrowsers } from './browser/remote-browsers.js';
import { serverStopping } from './fair-queue.js';

/** How captures are taken; plain data, which passes between threads. */
export interface CaptureSettings {
  /** The program to use; found where it is not said. */
  readonly browserPath?: string | undefined;
  /** Where programs are looked for, as in PATH. */
  readonly searchPath: string;
  /** Remote browsers; where there are any, none is started on this machine. */
  readonly endpoints: readonly BrowserEndpoint[];
  /** Where remote browsers reach the guard; loopback where it is not said. */
  readonly guardAddress?: GuardAddress | undefined;
  /** How often browsers are asked whether they still answer. */
  readonly health?: HealthTimes;
  /** How long a remote browser has to be connected and to show that it is guarded. */
  readonly connectTimeoutMs?: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Addresses and networks that may be captured although they are not public. */
  readonly allowAddresses: readonly string[];
  readonly maxPageHeightPixels: number;
  readonly maxResultBytes: number;
  readonly recycleAfter: number;
  readonly withoutSandbox: boolean;
}

export interface CaptureOptions extends CaptureSettings {
  readonly randomBytes: RandomBytes;
  readonly log: Log;
  /** Looks names up; the system's way where it is left out. */
  readonly resolve?: Resolve;
}

/** What is to be done on which page. */
interface Job<Result> {
  readonly url: string;
  readonly viewport: Viewport;
  readonly firstScript?: string | undefined;
  readonly work: (open: OpenPage) => Promise<Result>;
}

/** A PDF is laid out anew for its paper; this is the window before that. */
const PDF_VIEWPORT: Viewport = { width: 1280, height: 1024 };
const CLOSE_CONTEXT_MS = 5_000;

/** The guard, and the browsers behind it. */
async function startBehindGuard(options: CaptureOptions, onReady: () => void) {
  const { endpoints, guardAddress, randomBytes } = options;
  const resolveHost = createHostResolver(createAddressPolicy(options.allowAddresses), options.resolve);
  const exposure =
    endpoints.length === 0 || guardAddress === undefined
      ? undefined
      : { address: guardAddress, credentials: createProxyCredentials(randomBytes) };
  const guard = await startEgressProxy(resolveHost, exposure);
  try {
    const browsers =
      endpoints.length === 0
        ? await startLocalBrowser(options, guard.server)
        : await connectRemoteBrowsers({ ...options, onReady }, guard, exposure?.credentials);
    return { guard, browsers };
  } catch (error) {
    await guard.close();
    throw error;
  }
}

/**
 * Starts the guard and the browsers; does not fail where a browser cannot be had, which is then tried again. Throws
 * a ServiceError where the guard cannot listen, or the configured browser is no program.
 */
export async function startCapture(options: CaptureOptions): Promise<CaptureService> {
  const { timeoutMs, maxResultBytes, maxPageHeightPixels } = options;
  let onPlaces: () => void = () => undefined;
  const { guard, browsers } = await startBehindGuard(options, () => onPlaces());
  const { pool } = browsers;
  const spares = new WarmPages(browsers.placesEach, browsers.proxy);
  const closing = new Set<Promise<void>>();
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  let captures = 0;

  /** Closes a context, also one that is still being opened; waits a bounded time. */
  const closeContext = (opening: Promise<PreparedPage>) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_CONTEXT_MS)));
    const closed = opening.then(({ context }) => context.close()).catch(() => undefined);
    const done = Promise.race([closed, late]).finally(() => clearTimeout(timer));
    closing.add(done);
    void done.finally(() => closing.delete(done));
    return done;
  };

  const giveBack = async (
    leasing: Promise<Lease>,
    opening: Promise<PreparedPage> | undefined,
    isSuspect: boolean,
  ) => {
    const lease = await leasing.catch(() => undefined);
    if (opening !== undefined) await closeContext(opening);
    lease?.release(isSuspect);
  };

  /** Does the work on a page of its own in a browser that is there; the page is closed after the answer. */
  const onPage = async <Result>(
    job: Job<Result>,
    deadline: CaptureDeadline,
    signal: AbortSignal,
    avoided?: Browser,
  ) => {
    const leasing = pool.lease(avoided);
    let opening: Promise<PreparedPage> | undefined;
    let browser: Browser | undefined;
    let isOpen = false;
    try {
      const lease = await deadline.race(leasing);
      browser = lease.browser;
      const inTime = <Value>(work: Promise<Value>) => deadline.race(Promise.race([work, lease.lost]));
      opening = spares.take(browser);
      const prepared = await inTime(opening);
      await inTime(fitPage(prepared, job.viewport, job.firstScript));
      const open = openPage(prepared, deadline);
      isOpen = true;
      const work = () => {
        // While a page loads it needs the processor more than the next one does, and afterwards it mostly waits.
        spares.refill(lease.browser);
        return job.work(open);
      };
      const result = await inTime(onLoadedPage(open, job.url, guard.refusals, work));
      return { result, pageStatus: open.network.pageStatus };
    } catch (error) {
      throw browser === undefined ? error : await toBrowserGone(error, browser);
    } finally {
      if (isOpen && browser?.isConnected() === true) spares.refill(browser);
      // A browser that came too late, or a caller who left before the page was open, says nothing about the browser.
      void giveBack(leasing, opening, browser !== undefined && !isOpen && !signal.aborted);
    }
  };

  /** One capture from its beginning to its result, tried once more where another page ended the browser. */
  const captureOnce = async <Result>(job: Job<Result>, signal: AbortSignal) => {
    captures += 1;
    const startedMs = performance.now();
    const deadline = new CaptureDeadline(timeoutMs, signal);
    try {
      const done = await onPage(job, deadline, signal).catch(async (error: unknown) => {
        if (!(error instanceof BrowserGone)) throw error;
        await error.settled();
        return onPage(job, deadline, signal, error.browser);
      });
      return { ...done, durationMs: performance.now() - startedMs };
    } catch (error) {
      throw error instanceof BrowserGone ? browserGone(error) : error;
    } finally {
      deadline.end();
    }
  };

  const capture = async <Result>(job: Job<Result>, signal: AbortSignal) => {
    if (isClosed) throw serverStopping();
    const taking = captureOnce(job, signal);
    underWay.add(taking);
    return taking.finally(() => underWay.delete(taking));
  };

  const withinLimit = (body: Buffer) => {
    if (body.length === 0)
      throw new ServiceError('internal', 'The browser gave an empty file for this page.');
    if (body.length <= maxResultBytes) return body;
    const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
    throw new ServiceError(
      'invalidRequest',
      `The result has ${megabytes(body.length)} MB, more than the ${megabytes(maxResultBytes)} MB that an answer may have.`,
    );
  };

  return {
    async screenshot(request, signal) {
      const work = async (open: OpenPage) =>
        withinLimit(await takeScreenshot(open, request, maxPageHeightPixels));
      const firstScript = request.fullPage ? NOTE_SCROLL_WATCHERS : undefined;
      const { result, ...rest } = await capture(
        { url: request.url, viewport: request, firstScript, work },
        signal,
      );
      return { body: result, mediaType: request.format === 'png' ? 'image/png' : 'image/jpeg', ...rest };
    },
    async pdf(request, signal) {
      const work = async (open: OpenPage) => {
        const body = withinLimit(await printPdf(open, request));
        return { body, pageCount: await open.deadline.race(countPages(body)) };
      };
      const { result, ...rest } = await capture({ url: request.url, viewport: PDF_VIEWPORT, work }, signal);
      return { ...result, ...rest };
    },
    state: () => ({
      browser: pool.state,
      program: browsers.describe(),
      places: browsers.places(),
      active: underWay.size,
      captures,
      restarts: pool.restarts,
      endpoints: browsers.endpoints(),
    }),
    onPlaces: (listener) => (onPlaces = listener),
    allowPage: (url) => guard.allowPage(url),
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await Promise.all(closing);
      await pool.close();
      await guard.close();
    },
  };
}

const browserGone = (cause: unknown) =>
  new ServiceError('internal', 'The browser crashed while it captured this page.', { cause });
