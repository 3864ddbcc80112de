import type { Browser } from 'playwright';
import type { Log } from '../../log.js';
import { ServiceError } from '../../service-error.js';

/** A browser while a capture uses it. */
export interface Lease {
  readonly browser: Browser;
  /** The capture is over; `isSuspect` where the browser did not even open a page. */
  release(isSuspect: boolean): void;
}

interface Running {
  readonly browser: Browser;
  leases: number;
  served: number;
  isRetired: boolean;
}

interface SupervisorOptions {
  readonly launch: () => Promise<Browser>;
  /** Captures after which a browser is replaced, so that what leaks in it is freed. */
  readonly recycleAfter: number;
  readonly log: Log;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
/** One page that does not open may be chance; with two in a row the browser is taken to be stuck. */
const SUSPICIONS = 2;

const ignore = () => undefined;

/** Keeps one browser running: starts it anew when it ends, is stuck, or has served enough. */
export class BrowserSupervisor {
  restarts = 0;
  #current: Running | undefined;
  #starting: Promise<Running> | undefined;
  readonly #open = new Set<Running>();
  readonly #closing = new Set<Promise<void>>();
  #retryTimer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #suspicions = 0;
  #isClosed = false;

  constructor(private readonly options: SupervisorOptions) {}

  get state(): 'ready' | 'starting' | 'down' {
    if (this.#current !== undefined) return 'ready';
    return this.#starting === undefined ? 'down' : 'starting';
  }

  get version(): string {
    return this.#current?.browser.version() ?? '';
  }

  /** Starts the browser; a start that fails is logged and tried again later. */
  start(): Promise<void> {
    return this.#running().then(ignore, ignore);
  }

  /** A running browser, started first where there is none; throws the ServiceError that says why there is none. */
  async lease(): Promise<Lease> {
    const running = await this.#running();
    running.leases += 1;
    running.served += 1;
    if (running.served >= this.options.recycleAfter) this.#retire(running);
    let isReleased = false;
    return {
      browser: running.browser,
      release: (isSuspect) => {
        if (isReleased) return;
        isReleased = true;
        running.leases -= 1;
        this.#suspicions = isSuspect ? this.#suspicions + 1 : 0;
        if (this.#suspicions >= SUSPICIONS) this.#replaceStuck(running);
        if (running.isRetired && running.leases === 0) this.#end(running);
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    await this.#starting?.catch(ignore);
    this.#current = undefined;
    for (const running of this.#open) this.#end(running);
    await Promise.all(this.#closing);
  }

  #running(): Promise<Running> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    this.#starting ??= this.#launch().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #launch(): Promise<Running> {
    clearTimeout(this.#retryTimer);
    let browser: Browser;
    try {
      browser = await this.options.launch();
    } catch (error) {
      this.#retryLater(error);
      throw error;
    }
    this.#retryMs = FIRST_RETRY_MS;
    const running: Running = { browser, leases: 0, served: 0, isRetired: false };
    browser.once('disconnected', () => this.#onEnd(running));
    this.#current = running;
    this.#open.add(running);
    return running;
  }

  #retryLater(error: unknown): void {
    const reason = error instanceof ServiceError ? (error.detail ?? error.message) : error;
    this.options.log.error({ reason }, 'The browser does not start.');
    if (this.#isClosed) return;
    this.#retryTimer = setTimeout(() => void this.start(), this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }

  #onEnd(running: Running): void {
    if (running.isRetired || this.#isClosed) return;
    this.options.log.warn({}, 'The browser ended by itself; another is started.');
    this.#retire(running);
  }

  #replaceStuck(running: Running): void {
    this.#suspicions = 0;
    this.options.log.warn({}, 'The browser does not open pages any more; it is replaced.');
    this.#retire(running);
  }

  /** Nothing new goes to this browser; it ends when its last capture is over. */
  #retire(running: Running): void {
    running.isRetired = true;
    if (this.#current !== running) return;
    this.#current = undefined;
    this.restarts += 1;
    if (!this.#isClosed) void this.start();
  }

  #end(running: Running): void {
    this.#open.delete(running);
    const closing = running.browser.close().catch(ignore);
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}
