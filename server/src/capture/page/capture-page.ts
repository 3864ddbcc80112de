import type { PageRest } from '@signpost/contract';
import { ServiceError } from '../../platform/errors.js';
import type { Log } from '../../platform/log.js';
import type { RandomBytes } from '../../platform/random.js';
import { settledWithin } from '../../platform/within-time.js';
import type { BlankPage } from '../browser/blank-page.js';
import { BrowserGone } from '../browser/browser.js';
import type { BrowserKind } from '../browser/browser-kind.js';
import type { BrowserPool } from '../browser/browser-pool.js';
import type { Lease } from '../browser/browser-supervisor.js';
import type { WarmPages } from '../browser/warm-pages.js';
import type { FailureWatch } from '../failure-watch.js';
import type { QuotaUser } from '../fair-queue.js';
import type { NetworkWatch } from '../network/network-watch.js';
import type { AdFilters } from './ad-filters.js';
import { blockAds } from './block-ads.js';
import { type Attempt, nextAttempt } from './capture-attempt.js';
import { CaptureDeadline, captureTimes } from './capture-deadline.js';
import { closeCookieBanners } from './cookie-banners.js';
import { browserCrashed, toErrorAfterSteps, toPageError } from './page-errors.js';
import { blameNetwork, logFailedCapture } from './failed-capture.js';
import { checkStatus, type LoadedPage, navigate, onLatePage, onLoadedPage } from './load-page.js';
import { openPage, type OpenPage } from './open-page.js';
import { kindOf } from './kind-of-request.js';
import { sendCredentials } from './page-credentials.js';
import { applyPageOptions } from './page-options.js';
import { answerWithHtml, withPageUrl } from './given-html.js';
import { FileArrived, interceptFiles } from './incoming-file.js';
import type { PageRequest } from './page-request.js';
import type { PageWindow } from './page-window.js';
import { StepRun } from '../steps/run-steps.js';
import { workOnPage } from './work-on-page.js';
import type { WorkPermit, WorkPermits } from './work-permits.js';

/** The limits of each single capture. */
export interface CaptureLimits {
  readonly maxPageHeightPixels: number;
  readonly maxResultBytes: number;
  /** The maximum memory of the page's processes together. */
  readonly maxMemoryBytes: number;
}

export interface FileLimits extends CaptureLimits {
  /** The program of the process that reads a PDF; undefined for the usual one. */
  readonly pdfProcess?: URL | undefined;
}

/** A capture of one kind: the requested page, and how to make the result from it. */
export interface CaptureJob<Result extends object> {
  readonly request: PageRequest & PageWindow;
  /**
   * Makes the result from a file that the browser cannot show. Rejects if this kind of capture cannot use the file.
   * Must stop when the signal is aborted.
   */
  readonly readFile: (arrived: FileArrived, signal: AbortSignal) => Promise<Result>;
  /** Runs while the page is blank. */
  readonly prepare?: (blank: BlankPage) => Promise<void>;
  /**
   * Makes content appear that only appears when it is scrolled into view, if the result shows it. Returns whether that
   * was done for all of the result; false if scrolling ended early, at one of its limits.
   */
  readonly reveal?: (open: OpenPage) => Promise<boolean>;
  /**
   * Makes the result from the page at rest, or from a late page as it is. Called again for the new page if a page at
   * rest navigates meanwhile.
   */
  readonly make: (open: OpenPage) => Promise<Result>;
}

export interface CapturedPage {
  /** The HTTP status of the page itself. */
  readonly pageStatus: number;
  readonly isComplete: boolean;
  readonly pageRest: PageRest;
  readonly durationMs: number;
}

interface PageCapturerDeps {
  readonly permits: WorkPermits;
  readonly pools: Readonly<Record<BrowserKind, BrowserPool>>;
  readonly warmPages: WarmPages;
  readonly adFilters: () => Promise<AdFilters>;
  readonly network: Pick<NetworkWatch, 'check' | 'problem'>;
  readonly failures: FailureWatch;
  readonly log: Log;
  readonly timeoutMs: number;
  readonly randomBytes: RandomBytes;
  /** The maximum size of a file that an address leads to. */
  readonly maxFileBytes: number;
}

interface RunningCapture<Result extends object> {
  readonly job: CaptureJob<Result>;
  readonly deadline: CaptureDeadline;
  readonly permit: WorkPermit;
  readonly signal: AbortSignal;
}

const CLOSE_CONTEXT_MS = 5_000;

/** The result of a file that arrived instead of a page. */
async function onArrivedFile<Result extends object>(
  { request, readFile }: CaptureJob<Result>,
  arrived: FileArrived,
  deadline: CaptureDeadline,
): Promise<LoadedPage<Result & Pick<CapturedPage, 'pageRest'>>> {
  const { status: pageStatus } = arrived.file;
  const ending = new AbortController();
  deadline.endWait();
  try {
    checkStatus(request, pageStatus);
    const result = await deadline.race(readFile(arrived, ending.signal));
    return { result: { ...result, pageRest: 'reached' }, pageStatus, isComplete: true };
  } finally {
    ending.abort();
  }
}

/** Takes captures. Each attempt has its own page, which is closed afterwards. */
export class PageCapturer {
  readonly #closing = new Set<Promise<void>>();
  readonly #deps: PageCapturerDeps;

  constructor(deps: PageCapturerDeps) {
    this.#deps = deps;
  }

  /**
   * Runs one capture from beginning to end. Makes another attempt, once each, for a page that never comes to rest and
   * for an address that leads to a file. Repeats an attempt once if the browser ended. If the browser ended because of
   * its memory, the repeated attempt gets a browser of its own, because it is not known which page used the memory.
   * Never makes another attempt after one of the steps has begun.
   */
  async capture<Result extends object>(
    job: CaptureJob<Result>,
    signal: AbortSignal,
    user: QuotaUser,
  ): Promise<Result & CapturedPage> {
    const times = captureTimes(job.request, this.#deps.timeoutMs);
    const permit = this.#deps.permits.of(user, signal);
    // The time of a capture starts when it may begin to work.
    await permit.take();
    try {
      return await this.#captureInTime({ job, permit, signal, deadline: new CaptureDeadline(times, signal) });
    } finally {
      permit.end();
    }
  }

  async #captureInTime<Result extends object>(
    capture: RunningCapture<Result>,
  ): Promise<Result & CapturedPage> {
    const startedMs = performance.now();
    const { job, deadline, permit, signal } = capture;
    const pool = this.#deps.pools[kindOf(job.request)];
    const retry = async (error: unknown, current: Attempt) => {
      if (!(error instanceof BrowserGone)) throw error;
      await error.settled();
      deadline.restartWait();
      await deadline.pause(permit.take());
      const leasing = error.isOvergrown ? pool.leaseSingleUse() : pool.lease(error.browser);
      return this.#onPage(capture, leasing, current);
    };
    const attempt = (current: Attempt): ReturnType<typeof retry> =>
      this.#onPage(capture, pool.lease(), current)
        .catch((error: unknown) => retry(error, current))
        .catch(async (error: unknown) => {
          const next = nextAttempt(error, current);
          if (next === undefined) throw error;
          deadline.restartWait();
          await deadline.pause(permit.take());
          return attempt(next);
        });
    try {
      const loaded = await attempt({ isRestless: false, takesFiles: false });
      const { result, pageStatus, isComplete } = loaded;
      this.#deps.failures.succeeded();
      return { ...result, pageStatus, isComplete, durationMs: performance.now() - startedMs };
    } catch (error) {
      const { network, log, failures } = this.#deps;
      const failure = await blameNetwork(
        error instanceof BrowserGone ? browserCrashed(error) : error,
        network,
      );
      if (!signal.aborted) {
        logFailedCapture(log, failure);
        failures.failed(failure);
      }
      throw failure;
    } finally {
      deadline.end();
    }
  }

  /** Resolves when the pages of finished captures are closed or abandoned. */
  async pagesClosed(): Promise<void> {
    await Promise.all(this.#closing);
  }

  /** Makes one attempt at the capture, in the leased browser. */
  async #onPage<Result extends object>(
    { job, deadline, permit, signal }: RunningCapture<Result>,
    leasing: Promise<Lease>,
    { isRestless, takesFiles }: Attempt,
  ): Promise<LoadedPage<Result & Pick<CapturedPage, 'pageRest'>>> {
    const { warmPages, adFilters, randomBytes, maxFileBytes } = this.#deps;
    const { prepare, make } = job;
    const request = withPageUrl(job.request, randomBytes);
    let opening: Promise<BlankPage> | undefined;
    let lease: Lease | undefined;
    let open: OpenPage | undefined;
    let steps: StepRun | undefined;
    let isOver = false;
    let isRequestWrong = false;
    // There is no other attempt once a step has begun, because another attempt would run the steps again.
    const isLastTry = () => steps?.hasBegun === true;
    // Once this attempt has ended, its page must not end another attempt.
    const fail = (error: Error) => {
      if (!isOver) deadline.failPage(error);
    };
    try {
      const { browser, lost, isSingleUse } = (lease = await deadline.race(leasing));
      const inTime = <Value>(work: Promise<Value>) => deadline.race(Promise.race([work, lost]));
      opening = warmPages.take(browser);
      const blank = await inTime(opening);
      if (prepare !== undefined) await inTime(prepare(blank));
      await inTime(applyPageOptions(blank, request));
      await inTime(sendCredentials(blank, request, fail));
      await inTime(answerWithHtml(blank, request));
      const ads = await inTime(blockAds(blank, request, adFilters, fail));
      const banners = await inTime(closeCookieBanners(blank, request));
      const files = takesFiles ? await inTime(interceptFiles(blank, maxFileBytes)) : undefined;
      const page = (open = openPage(blank, lease, { deadline, permit, isRestless, takesFiles, fail }));
      steps = new StepRun(request.steps, browser, (url) => navigate(page, url, blank.rejections));
      const work = workOnPage(job, request, page, { ads, banners, isLastTry });
      // Opens no blank pages for later captures before this page has painted: until then it needs the processor, and
      // from then on it mostly waits.
      const onPainted = () => {
        if (!isSingleUse) warmPages.refill(browser);
      };
      const loaded = onLoadedPage(page, request, blank.rejections, work, { steps, onPainted });
      const loading = files === undefined ? loaded : Promise.race([loaded, files.arrived]);
      return await inTime(loading).catch(async (error: unknown) => {
        const isFile = error instanceof FileArrived && !isLastTry();
        if (!isFile && !deadline.isPageLate) throw error;
        await deadline.pause(permit.take());
        if (isFile) return inTime(onArrivedFile(job, error, deadline));
        deadline.endWait();
        // For a late page there is no time left to bring it to rest.
        const lateWork = async () => {
          await ads?.hideAds(page);
          return { ...(await make(page)), pageRest: 'skipped' as const };
        };
        return inTime(onLatePage(page, request, lateWork, error));
      });
    } catch (error) {
      isRequestWrong = error instanceof ServiceError && error.kind === 'invalidRequest';
      const pageError = lease === undefined ? error : await toPageError(error, lease);
      throw isLastTry() ? toErrorAfterSteps(pageError) : pageError;
    } finally {
      isOver = true;
      void steps?.end();
      if (open !== undefined && lease?.isSingleUse === false && lease.browser.isConnected())
        warmPages.refill(lease.browser);
      // A browser that was not ready in time, a caller who disconnected before the page was open, and a request with a
      // wrong option say nothing bad about the browser's health.
      const isSuspect = lease !== undefined && open === undefined && !signal.aborted && !isRequestWrong;
      void this.#release(leasing, opening, isSuspect);
    }
  }

  async #release(
    leasing: Promise<Lease>,
    opening: Promise<BlankPage> | undefined,
    isSuspect: boolean,
  ): Promise<void> {
    const lease = await leasing.catch(() => undefined);
    if (opening !== undefined) await this.#closeContext(opening);
    lease?.release(isSuspect);
  }

  /** Closes a context, even if it is still being opened. Waits only for a limited time. */
  #closeContext(opening: Promise<BlankPage>): Promise<void> {
    const closed = settledWithin(
      opening.then((page) => page.close()),
      CLOSE_CONTEXT_MS,
    );
    this.#closing.add(closed);
    void closed.finally(() => this.#closing.delete(closed));
    return closed;
  }
}
