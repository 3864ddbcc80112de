import type { ProtocolSession } from './protocol/session.js';

/**
 * A page may announce its own navigation after any delay, as with a meta element. If the delay is as long as this or
 * longer, the page is captured before it navigates.
 */
const AT_ONCE_SECONDS = 0.1;

/**
 * Follows the document in a page's main frame through lifecycle events, which are cheap and few, however much the
 * page fetches or logs.
 */
export class MainDocument {
  /** The number of documents that came into the frame, with error pages but without the initial blank one. */
  count = 0;
  /** The address that could not be loaded, if the browser shows its error page instead of a document. */
  failedUrl: string | undefined;
  #loaderId = '';
  #isParsed = false;
  #isLoaded = false;
  #isQuiet = false;
  /** Whether the frame is loading its document or the next one. */
  #isBusy = false;
  #isAnnounced = false;
  #hasBegun = false;
  readonly #checks = new Set<() => void>();

  constructor(
    session: ProtocolSession,
    /** The protocol's id of the main frame, whichever document is in it. */
    readonly frameId: string,
  ) {
    session.on('Page.frameScheduledNavigation', ({ frameId: id, delay }) => {
      if (id === frameId && delay < AT_ONCE_SECONDS) this.#announce();
    });
    session.on('Page.frameRequestedNavigation', ({ frameId: id, disposition }) => {
      if (id === frameId && disposition === 'currentTab') this.#announce();
    });
    session.on('Page.frameStartedLoading', ({ frameId: id }) => {
      if (id === frameId) this.#begin();
    });
    session.on('Page.frameStoppedLoading', ({ frameId: id }) => {
      if (id === frameId) this.#stop();
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === frameId) this.#replace(frame.loaderId, frame.unreachableUrl);
    });
    session.on('Page.lifecycleEvent', ({ frameId: id, loaderId, name }) => {
      if (id === frameId && loaderId === this.#loaderId) this.#onLifecycleEvent(name);
    });
  }

  /** Resolves when the document with this loader id, as a navigation returns it, is in the frame. */
  async untilArrived(loaderId: string): Promise<void> {
    await this.#until(() => this.#loaderId === loaderId);
  }

  /** Resolves when the document is loaded, or when loading has stopped half-way. */
  async untilComplete(): Promise<void> {
    await this.#until(() => this.count > 0 && (this.#isLoaded || !this.#isBusy));
  }

  /**
   * Resolves when the document is parsed, even if it still loads other resources, or when loading has stopped
   * half-way.
   */
  async untilParsed(): Promise<void> {
    await this.#until(() => this.count > 0 && (this.#isParsed || this.#isLoaded || !this.#isBusy));
  }

  /** Resolves when the browser shows which address it could not load, or after this many milliseconds. */
  async untilFailed(maxMs: number): Promise<void> {
    await this.#until(() => this.failedUrl !== undefined, maxMs);
  }

  /** Resolves when the network of the document has been idle for a short time, or after this many milliseconds. */
  async untilQuiet(maxMs: number): Promise<void> {
    await this.#until(() => this.#isQuiet, maxMs);
  }

  /** Resolves when another document has replaced this one. */
  async untilReplaced(): Promise<void> {
    const before = this.count;
    await this.#until(() => this.count !== before);
  }

  /** Whether the network of the document has been idle for a short time. */
  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  /**
   * Whether another document arrives within this many milliseconds. Returns false at once if no navigation is
   * announced, or once the announced one has led to no document.
   */
  async movesOnWithin(maxMs: number): Promise<boolean> {
    const before = this.count;
    await this.#until(() => !this.#isAnnounced, maxMs);
    this.#isAnnounced = false;
    return this.count !== before;
  }

  #announce(): void {
    this.#isAnnounced = true;
    this.#hasBegun = false;
  }

  #begin(): void {
    this.#isBusy = true;
    this.#hasBegun = true;
  }

  /**
   * Notes that loading has stopped. This also happens if an announced navigation leads to no document, but to another
   * program, a download or an empty response.
   */
  #stop(): void {
    this.#isBusy = false;
    if (this.#hasBegun) this.#isAnnounced = false;
    this.#check();
  }

  #replace(loaderId: string, failedUrl: string | undefined): void {
    this.count += 1;
    this.failedUrl = failedUrl;
    this.#loaderId = loaderId;
    this.#isParsed = false;
    this.#isLoaded = false;
    this.#isQuiet = false;
    this.#isBusy = true;
    this.#isAnnounced = false;
    this.#check();
  }

  #onLifecycleEvent(name: string): void {
    if (name === 'DOMContentLoaded') this.#isParsed = true;
    if (name === 'load') this.#isLoaded = true;
    if (name === 'networkIdle') this.#isQuiet = true;
    this.#check();
  }

  #check(): void {
    for (const check of this.#checks) check();
  }

  #until(condition: () => boolean, maxMs?: number): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#checks.delete(check);
        resolve();
      };
      const check = () => {
        if (condition()) end();
      };
      const timer = maxMs === undefined ? undefined : setTimeout(end, maxMs);
      this.#checks.add(check);
    });
  }
}
