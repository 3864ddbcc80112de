import { ServiceError } from '../service-error.js';
import { callerGone } from './caller-gone.js';

const RETRY_AFTER_SECONDS = 5;

const full = () =>
  new ServiceError('overloaded', 'Too many captures are waiting already. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

export const stopping = () =>
  new ServiceError('overloaded', 'The server is stopping. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Places for work at the same time, and a bounded queue before them. */
export class Slots {
  #active = 0;
  #isClosed = false;
  readonly #queue: (() => void)[] = [];
  #onIdle: (() => void) | undefined;

  /** How many places there are is asked each time: browsers come and go. */
  constructor(
    private readonly places: () => number,
    private readonly queueLength: number,
  ) {}

  get active(): number {
    return this.#active;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Does the work when there is a place for it; throws at once where queue and places are full, or when closed. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw stopping();
    if (this.#active < this.places()) this.#active += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#active -= 1;
      this.fill();
      if (this.#active === 0) this.#onIdle?.();
    }
  }

  /** Lets those in that wait, as far as there are places; to be called when there are more of them. */
  fill(): void {
    while (this.#active < this.places()) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#active += 1;
      next();
    }
  }

  /** Takes nothing more; resolves when everything that was taken is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#active > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#queue.length >= this.queueLength) throw full();
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(enter), 1);
        reject(callerGone());
      };
      this.#queue.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
