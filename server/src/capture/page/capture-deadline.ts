import { ServiceError } from '../../platform/errors.js';
import { clientDisconnected } from '../capture-errors.js';
import type { PageRequest } from './page-request.js';

/** When a page counts as late, and when its capture ends at the latest, both in milliseconds from the start. */
export interface CaptureTimes {
  readonly pageMs: number;
  readonly totalMs: number;
}

/** The time reserved for making the file of a late page, unless FILE_SHARE of the operator's limit is less. */
const FILE_MS = 5_000;
const FILE_SHARE = 0.25;

/** The time limits of a request. Throws a ServiceError if it asks for more than the operator's limit. */
export function captureTimes(
  { timeoutMs, onTimeout }: Pick<PageRequest, 'timeoutMs' | 'onTimeout'>,
  limitMs: number,
): CaptureTimes {
  const requestedMs = timeoutMs ?? limitMs;
  if (requestedMs > limitMs)
    throw new ServiceError(
      'invalidRequest',
      `"timeoutMs" must be at most ${limitMs}, which is this server's limit, but is ${requestedMs}.`,
    );
  if (onTimeout !== 'capture') return { pageMs: requestedMs, totalMs: requestedMs };
  const fileMs = Math.min(FILE_MS, limitMs * FILE_SHARE);
  const pageMs = Math.min(requestedMs, limitMs - fileMs);
  return { pageMs, totalMs: pageMs + fileMs };
}

/**
 * The time limit of a capture. `race` ends the wait for work when the time is over, the page is late, the caller has
 * disconnected, or the attempt at the page has failed.
 */
export class CaptureDeadline {
  #failure: Promise<never>;
  #reject: (error: Error) => void = () => undefined;
  #captureError: Error | undefined;
  /** The error that ended the current attempt at the page. `restartWait` removes it for the next attempt. */
  #attemptError: Error | undefined;
  #explain: (timeoutMs: number) => ServiceError;
  #isPageLate = false;
  #startedMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #pageTimer: NodeJS.Timeout | undefined;
  /** When the page becomes late; undefined if late pages are not captured, or while nothing waits for the page. */
  #pageLateMs: number | undefined;
  #pauses = 0;
  #hasEnded = false;
  readonly #onAbort = () => this.fail(clientDisconnected());

  readonly #times: CaptureTimes;
  readonly #signal: AbortSignal;

  constructor(times: CaptureTimes, signal: AbortSignal) {
    this.#times = times;
    this.#signal = signal;
    this.#failure = this.#createFailure();
    this.#explain = this.#timedOut;
    this.#beginWait(times.pageMs);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Whether the wait for the page has just ended because the page is late, and no error has ended the attempt. */
  get isPageLate(): boolean {
    return this.#isPageLate && this.#captureError === undefined && this.#attemptError === undefined;
  }

  /** How long the capture has taken so far, without pauses. */
  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** The remaining time of the capture. */
  get leftMs(): number {
    return this.#times.totalMs - this.elapsedMs;
  }

  /**
   * Restarts the wait for the page for another attempt: until the original limit, but at least for half of the
   * remaining time.
   */
  restartWait(): void {
    this.#attemptError = undefined;
    this.#resetFailure();
    this.#beginWait(Math.max(this.leftMs - (this.#times.totalMs - this.#times.pageMs), this.leftMs / 2));
  }

  /** Ends the wait for the page, because it is late or complete. */
  endWait(): void {
    this.#pageLateMs = undefined;
    clearTimeout(this.#pageTimer);
    if (this.#isPageLate) this.#resetFailure();
  }

  /**
   * Returns the result of the work. Throws the error that ends the capture, this attempt or the wait for the page, if
   * that comes first.
   */
  race<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return Promise.race([work, this.#failure]);
  }

  /** Like `race`, for work that has its own error message for a timeout. */
  async raceExplained<Result>(
    work: Promise<Result>,
    explain: (timeoutMs: number) => ServiceError,
  ): Promise<Result> {
    this.#explain = explain;
    try {
      return await this.race(work);
    } finally {
      this.#explain = this.#timedOut;
    }
  }

  /** Waits for the turn of this capture. The time until then does not count towards the time limits. */
  async pause(waiting: Promise<void>): Promise<void> {
    const pausedMs = performance.now();
    this.#pauses += 1;
    this.#clearTimers();
    try {
      await waiting;
    } finally {
      this.#pauses -= 1;
      const lostMs = this.#pauses === 0 ? performance.now() - pausedMs : 0;
      this.#startedMs += lostMs;
      if (this.#pageLateMs !== undefined) this.#pageLateMs += lostMs;
      this.#startTimers();
    }
  }

  /** Ends the capture with this error, which also ends any later attempt. */
  fail(error: Error): void {
    this.#captureError ??= error;
    this.#reject(error);
  }

  /** Ends this attempt at the page. */
  failPage(error: Error): void {
    this.#attemptError ??= error;
    this.#reject(error);
  }

  end(): void {
    this.#hasEnded = true;
    this.#clearTimers();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  /** Whether the request wants a late page captured as it is. */
  get #isForLatePages(): boolean {
    return this.#times.pageMs < this.#times.totalMs;
  }

  get #timedOut(): (timeoutMs: number) => ServiceError {
    return this.#isForLatePages ? nothingInTime : notInTime;
  }

  #beginWait(waitMs: number): void {
    if (this.#isForLatePages) this.#pageLateMs = performance.now() + waitMs;
    this.#startTimers();
  }

  #clearTimers(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#pageTimer);
  }

  #startTimers(): void {
    this.#clearTimers();
    if (this.#hasEnded || this.#pauses > 0) return;
    const { pageMs } = this.#times;
    this.#timer = setTimeout(() => this.fail(this.#explain(pageMs)), this.leftMs);
    if (this.#pageLateMs === undefined) return;
    const leftMs = this.#pageLateMs - performance.now();
    this.#pageTimer = setTimeout(() => this.#endPage(this.#explain(pageMs)), leftMs);
  }

  #endPage(error: Error): void {
    this.#pageLateMs = undefined;
    this.#isPageLate = true;
    this.#reject(error);
  }

  #resetFailure(): void {
    this.#isPageLate = false;
    this.#failure = this.#createFailure();
    const error = this.#captureError ?? this.#attemptError;
    if (error !== undefined) this.#reject(error);
  }

  #createFailure(): Promise<never> {
    const failed = new Promise<never>((_resolve, reject) => (this.#reject = reject));
    failed.catch(() => undefined);
    return failed;
  }
}

const timedOut = (timeoutMs: number, more: string) =>
  new ServiceError(
    'timeout',
    `The page was not complete within ${timeoutMs / 1000} seconds, the longest that this capture may take${more}`,
  );

const notInTime = (timeoutMs: number) =>
  timedOut(timeoutMs, '. Send "onTimeout": "capture" to get what has loaded by then.');

const nothingInTime = (timeoutMs: number) =>
  timedOut(timeoutMs, ', and nothing of it could be captured by then.');
