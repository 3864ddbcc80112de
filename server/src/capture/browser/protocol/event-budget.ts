/** The maximum size of one event in bytes, so that parsing it does not delay other captures for long. */
export const MAX_EVENT_BYTES = 4_000_000;
/**
 * The maximum size of all events of a page, its frames and its workers together, in bytes. Events beyond it are
 * dropped.
 */
const MAX_PAGE_EVENT_BYTES = 32_000_000;

/**
 * Limits how much data about one page is parsed: request bodies, addresses, names and so on, all of which the page
 * controls. One thread parses the data of all captures.
 */
export class EventBudget {
  #left: number;
  readonly #onExhausted: (() => void)[] = [];

  constructor(maxBytes = MAX_PAGE_EVENT_BYTES) {
    this.#left = maxBytes;
  }

  /** A budget without limit, for events of the browser itself, which no page controls. */
  static unlimited(): EventBudget {
    return new EventBudget(Number.POSITIVE_INFINITY);
  }

  /** Spends the size of an event. Returns whether it may be parsed; after one rejection, no later event may be. */
  take(bytes: number): boolean {
    if (this.#left < bytes) this.exhaust();
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Rejects all further events, as if the budget were used up. */
  exhaust(): void {
    this.#left = -1;
    for (const listener of this.#onExhausted.splice(0)) listener();
  }

  /** Calls the listener once an event is rejected; at once if one was rejected before. */
  onExhausted(listener: () => void): void {
    if (this.#left < 0) listener();
    else this.#onExhausted.push(listener);
  }
}
