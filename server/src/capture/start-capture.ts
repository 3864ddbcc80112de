import type { Log } from '../log.js';
import { ServiceError } from '../service-error.js';
import { launchBrowser } from './browser/launch.js';
import { BrowserSupervisor, type Lease } from './browser/supervisor.js';
import type { CaptureService } from './capture-service.js';
import { findBrowser, type BrowserProgram } from './find-browser.js';
import { createAddressPolicy } from './guard/address-policy.js';
import { startEgressProxy } from './guard/egress-proxy.js';
import { createHostResolver, type Resolve } from './guard/host-resolver.js';
import { CaptureDeadline } from './page/capture-deadline.js';
import { onLoadedPage } from './page/load-page.js';
import { openPage, type OpenPage } from './page/open-page.js';
import { fitPage, type PreparedPage, type Viewport } from './page/prepare-page.js';
import { countPages, printPdf } from './page/print-pdf.js';
import { NOTE_SCROLL_WATCHERS } from './page/reveal-lazy-content.js';
import { SparePages } from './page/spare-pages.js';
import { takeScreenshot } from './page/take-screenshot.js';
import { Slots } from './slots.js';

export interface CaptureOptions {
  /** The program to use; found where it is not said. */
  readonly browserPath?: string | undefined;
  /** Where programs are looked for, as in PATH. */
  readonly searchPath: string;
  readonly concurrency: number;
  readonly queue: number;
  readonly timeoutMs: number;
  /** Addresses and networks that may be captured although they are not public. */
  readonly allowAddresses: readonly string[];
  readonly maxPageHeightPixels: number;
  readonly maxResultBytes: number;
  readonly recycleAfter: number;
  readonly withoutSandbox: boolean;
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

const noBrowser = () =>
  new ServiceError('overloaded', 'No browser was found for captures; "signpost doctor" says what to do.', {
    retryAfterSeconds: 60,
  });

/** Chromium refuses its sandbox to root; that is said, and never chosen for an ordinary user. */
function sandboxIsOff(options: CaptureOptions): boolean {
  if (options.withoutSandbox) return true;
  if (process.getuid?.() !== 0) return false;
  options.log.warn({}, 'Running as root: the browser has no sandbox. An ordinary user is safer.');
  return true;
}

function describeProgram(found: BrowserProgram | undefined, version: string): string {
  if (found === undefined) return 'none was found';
  return `${found.kind} ${version} from ${found.origin} (${found.program})`;
}

/** Starts the guard and the browser; does not fail where the browser cannot start, which is then tried again. */
export async function startCapture(options: CaptureOptions): Promise<CaptureService> {
  const { log, timeoutMs, maxResultBytes, maxPageHeightPixels } = options;
  const policy = createAddressPolicy(options.allowAddresses);
  const proxy = await startEgressProxy(createHostResolver(policy, options.resolve));
  const withoutSandbox = sandboxIsOff(options);
  let found: BrowserProgram | undefined;
  const supervisor = new BrowserSupervisor({
    launch: async () => {
      found ??= await findBrowser({
        configured: options.browserPath,
        searchPath: options.searchPath,
        withEmbedded: true,
      });
      if (found === undefined) throw noBrowser();
      return launchBrowser({ program: found.program, proxyPort: proxy.port, withoutSandbox });
    },
    recycleAfter: options.recycleAfter,
    log,
  });
  await supervisor.start();
  if (found?.kind === 'full browser') {
    log.warn({ program: found.program }, 'This browser is two to three times slower than a headless shell.');
  }
  const slots = new Slots(options.concurrency, options.queue);
  const spares = new SparePages(options.concurrency);
  const closing = new Set<Promise<void>>();
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

  /** Does the work on a page of its own in the browser that is there; the page is closed after the answer. */
  const onPage = async <Result>(job: Job<Result>, deadline: CaptureDeadline, signal: AbortSignal) => {
    const leasing = supervisor.lease();
    let opening: Promise<PreparedPage> | undefined;
    let isOpen = false;
    try {
      const { browser } = await deadline.race(leasing);
      opening = spares.take(browser);
      const prepared = await deadline.race(opening);
      await deadline.race(fitPage(prepared, job.viewport, job.firstScript));
      const open = openPage(prepared, deadline);
      isOpen = true;
      spares.refill(browser);
      const result = await onLoadedPage(open, job.url, proxy.refusals, () => job.work(open));
      return { result, pageStatus: open.network.pageStatus };
    } finally {
      // A caller who left before the page was open says nothing about the browser.
      void giveBack(leasing, opening, !isOpen && !signal.aborted);
    }
  };

  /** One capture from its place in the queue to its result, tried once more where another page ended the browser. */
  const capture = <Result>(job: Job<Result>, signal: AbortSignal) =>
    slots.run(signal, async () => {
      captures += 1;
      const startedMs = performance.now();
      const deadline = new CaptureDeadline(timeoutMs, signal);
      try {
        const done = await onPage(job, deadline, signal).catch((error: unknown) => {
          if (!isBrowserGone(error)) throw error;
          return onPage(job, deadline, signal);
        });
        return { ...done, durationMs: performance.now() - startedMs };
      } catch (error) {
        throw isBrowserGone(error) ? browserGone(error) : error;
      } finally {
        deadline.end();
      }
    });

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
      browser: supervisor.state,
      program: describeProgram(found, supervisor.version),
      active: slots.active,
      queued: slots.queued,
      captures,
      restarts: supervisor.restarts,
    }),
    allowPage: (url) => proxy.allowPage(url),
    async close() {
      await slots.close();
      await Promise.all(closing);
      await supervisor.close();
      await proxy.close();
    },
  };
}

const isBrowserGone = (error: unknown) =>
  !(error instanceof ServiceError) &&
  error instanceof Error &&
  /has been closed|Target closed|Browser closed|browser has disconnected|Connection closed/iu.test(
    error.message,
  );

const browserGone = (cause: unknown) =>
  new ServiceError('internal', 'The browser crashed while it captured this page.', { cause });
