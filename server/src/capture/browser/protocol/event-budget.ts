/** One event of a browser may have this many bytes: more than pages need, and not long to read beside other captures. */
export const MAX_EVENT_BYTES = 4_000_000;
/** All events of a page and of its frames and workers together. */
const MAX_PAGE_EVENT_BYTES = 32_000_000;

/**
 * Bounds what a browser reports about one page: request bodies, addresses, names and the like, all of which the page
 * makes up. The one thread that reads them serves all captures.
 */
export class EventBudget {
  #left: number;
  readonly #onExhausted: (() => void)[] = [];

  constructor(maxBytes = MAX_PAGE_EVENT_BYTES) {
    this.#left = maxBytes;
  }

  /** For events of the browser itself, which no page makes up. */
  static unlimited(): EventBudget {
    return new EventBudget(Number.POSITIVE_INFINITY);
  }

  /** Whether an event of this size may be read. After one that may not, none may. */
  take(bytes: number): boolean {
    if (this.#left < bytes) this.exhaust();
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** From now on no event may be read, as if one had been too long. */
  exhaust(): void {
    this.#left = -1;
    for (const listener of this.#onExhausted.splice(0)) listener();
  }

  /** Calls the listener once an event may not be read; at once if there was one. */
  onExhausted(listener: () => void): void {
    if (this.#left < 0) listener();
    else this.#onExhausted.push(listener);
  }
}
