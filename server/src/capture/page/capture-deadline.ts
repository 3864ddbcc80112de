import { ServiceError } from '../../platform/errors.js';

/** Nobody reads this; it frees the capture's place and is no failure of the server. */
export const clientDisconnected = () =>
  new ServiceError('invalidRequest', 'The connection was closed before the capture was done.');

/** The one time limit of a capture; whatever is awaited ends with it, with the caller, or with the page. */
export class CaptureDeadline {
  readonly #failed: Promise<never>;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => this.fail(clientDisconnected());
  #reject: (error: Error) => void = () => undefined;
  #explain = timedOut;

  constructor(
    timeoutMs: number,
    private readonly signal: AbortSignal,
  ) {
    this.#failed = new Promise((_resolve, reject) => (this.#reject = reject));
    this.#failed.catch(() => undefined);
    this.#timer = setTimeout(() => this.fail(this.#explain(timeoutMs)), timeoutMs);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** The result of the work, or the reason why there will be none. */
  race<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return Promise.race([work, this.#failed]);
  }

  /** As `race`, for what says in words of its own that it was not there in time. */
  async raceExplained<Result>(
    work: Promise<Result>,
    explain: (timeoutMs: number) => ServiceError,
  ): Promise<Result> {
    this.#explain = explain;
    try {
      return await this.race(work);
    } finally {
      this.#explain = timedOut;
    }
  }

  fail(error: Error): void {
    this.#reject(error);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.signal.removeEventListener('abort', this.#onAbort);
  }
}

const timedOut = (timeoutMs: number) =>
  new ServiceError(
    'timeout',
    `The page was not complete within ${timeoutMs / 1000} seconds, the most that a capture may take.`,
  );
