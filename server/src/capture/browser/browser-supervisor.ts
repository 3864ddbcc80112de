import type { Log } from '../../platform/log.js';
import { settledWithin } from '../../platform/within-time.js';
import { type Browser, BrowserGone } from './browser.js';
import type { MemoryWatch } from './memory-watch.js';
import { DEFAULT_HEALTH_TIMES, watchHealth, type HealthTimes } from './browser-health.js';

/** The use of a browser by one capture. */
export interface Lease {
  readonly browser: Browser;
  /** Rejects if the browser ends or is abandoned during the lease; never resolves. */
  readonly lost: Promise<never>;
  /** Watches the memory of the browser's pages; undefined if it cannot be watched. */
  readonly memory: MemoryWatch | undefined;
  /** Whether no other capture uses the browser at the same time. */
  readonly isSingleUse: boolean;
  /** Ends the lease. `isSuspect` says that the browser failed to open a page. */
  release(isSuspect: boolean): void;
}

interface Running {
  readonly browser: Browser;
  /** A callback for each running capture, which tells it that the browser is gone. */
  readonly leases: Set<(error: Error) => void>;
  served: number;
  isRetired: boolean;
  idleTimer: NodeJS.Timeout | undefined;
  stopWatching: () => void;
  memory: MemoryWatch | undefined;
}

interface SupervisorOptions {
  /** The name in logs, with a capital letter. */
  readonly name: string;
  /** Starts the browser or connects to it. */
  readonly launch: () => Promise<Browser>;
  /** The message and the reason of a failed launch, without secrets. */
  readonly explain: (error: unknown) => { readonly message: string; readonly reason: unknown };
  /** The number of captures after which a browser is replaced, to free leaked memory. */
  readonly recycleAfter: number;
  /**
   * How long the browser may be without captures before it ends. It then starts again only when a capture needs it.
   * If undefined, it runs all the time.
   */
  readonly idleMs?: number;
  readonly onReady?: () => void;
  readonly health?: HealthTimes;
  /** Watches the memory of a local browser. Calls back once, before the browser ends because of its memory. */
  readonly watchMemory?: (browser: Browser, onOvergrown: () => void) => MemoryWatch | undefined;
  readonly log: Log;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
/** How long to wait at most for the end of a browser. */
const CLOSE_MS = 10_000;
/** A page that fails to open may be chance. After two in a row, the browser counts as stuck. */
const MAX_SUSPICIONS = 2;

const ignore = () => undefined;

/** Runs one browser, always or on demand. Replaces it if, for example, it ends by itself or is stuck. */
export class BrowserSupervisor {
  restarts = 0;
  #current: Running | undefined;
  #starting: Promise<Running> | undefined;
  readonly #open = new Set<Running>();
  readonly #closing = new Set<Promise<void>>();
  #retryTimer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #suspicions = 0;
  #lastFailure: string | undefined;
  #lastError: unknown;
  #isClosed = false;

  readonly #options: SupervisorOptions;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  get state(): 'ready' | 'starting' | 'down' {
    if (this.#current !== undefined) return 'ready';
    return this.#starting === undefined ? 'down' : 'starting';
  }

  get version(): string {
    return this.#current?.browser.version ?? '';
  }

  /** The number of running captures, in the current browser and in previous ones. */
  get active(): number {
    return [...this.#open].reduce((sum, { leases }) => sum + leases.size, 0);
  }

  /** The error of the browser's last start; undefined unless that failed. */
  get failure(): unknown {
    return this.#lastError;
  }

  /** Whether the browser's last start failed. */
  get hasFailed(): boolean {
    return this.#lastFailure !== undefined;
  }

  isRunning(browser: Browser): boolean {
    return this.#current?.browser === browser;
  }

  /** Starts the browser. A failed start is logged, and tried again later or when a capture needs the browser. */
  start(): Promise<void> {
    return this.whenReady().catch(ignore);
  }

  /** Resolves when a browser runs, and starts one if necessary. Throws the error of a failed start. */
  whenReady(): Promise<void> {
    return this.#ensureRunning().then(ignore);
  }

  /** Leases the browser, and starts one if none runs. Throws the error of a failed start. */
  async lease(): Promise<Lease> {
    const running = this.#current ?? (await this.#ensureRunning());
    let lose: (error: Error) => void = ignore;
    const lost = new Promise<never>((_resolve, reject) => (lose = reject));
    lost.catch(ignore);
    clearTimeout(running.idleTimer);
    running.leases.add(lose);
    running.memory?.setBusy(true);
    running.served += 1;
    if (running.served >= this.#options.recycleAfter) this.#retire(running);
    return {
      browser: running.browser,
      lost,
      memory: running.memory,
      isSingleUse: false,
      release: (isSuspect) => {
        if (!running.leases.delete(lose)) return;
        this.#suspicions = isSuspect ? this.#suspicions + 1 : 0;
        if (this.#suspicions >= MAX_SUSPICIONS) this.#replaceStuck(running);
        if (running.leases.size > 0) return;
        if (running.isRetired) this.#end(running);
        else this.#startIdleTimer(running);
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

  get #startsOnDemand(): boolean {
    return this.#options.idleMs !== undefined;
  }

  /**
   * Call it when a browser has no captures. Its memory is then checked less often, and it ends after `idleMs`, if that
   * is set.
   */
  #startIdleTimer(running: Running): void {
    running.memory?.setBusy(false);
    const { idleMs } = this.#options;
    if (idleMs === undefined) return;
    running.idleTimer = setTimeout(() => {
      running.isRetired = true;
      if (this.#current === running) this.#current = undefined;
      this.#end(running);
    }, idleMs).unref();
  }

  #ensureRunning(): Promise<Running> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    this.#starting ??= this.#launch().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #launch(): Promise<Running> {
    clearTimeout(this.#retryTimer);
    let running: Running;
    try {
      running = await this.#launchAndWatch();
    } catch (error) {
      this.#retryLater(error);
      throw error;
    }
    this.#retryMs = FIRST_RETRY_MS;
    this.#lastFailure = undefined;
    this.#lastError = undefined;
    this.#current = running;
    this.#open.add(running);
    if (this.#startsOnDemand) this.#startIdleTimer(running);
    void running.browser.disconnected.then(() => this.#onEnd(running));
    this.#options.onReady?.();
    return running;
  }

  async #launchAndWatch(): Promise<Running> {
    const browser = await this.#options.launch();
    const running: Running = {
      browser,
      leases: new Set(),
      served: 0,
      isRetired: false,
      idleTimer: undefined,
      stopWatching: ignore,
      memory: undefined,
    };
    try {
      running.stopWatching = watchHealth(browser, this.#options.health ?? DEFAULT_HEALTH_TIMES, () =>
        this.#giveUp(running),
      );
      running.memory = this.#options.watchMemory?.(browser, () => this.#retire(running));
      if (!browser.isConnected()) throw new Error('The browser ended as soon as it had started.');
    } catch (error) {
      running.stopWatching();
      running.memory?.end();
      void browser.close().catch(ignore);
      throw error;
    }
    return running;
  }

  #retryLater(error: unknown): void {
    const { message, reason } = this.#options.explain(error);
    // A failure that repeats itself is logged only at the debug level.
    this.#options.log[this.#lastFailure === message ? 'debug' : 'error']({ reason }, message);
    this.#lastFailure = message;
    this.#lastError = error;
    if (this.#isClosed || this.#startsOnDemand) return;
    this.#retryTimer = setTimeout(() => void this.start(), this.#retryMs).unref();
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  #onEnd(running: Running): void {
    if (!running.isRetired && !this.#isClosed) {
      this.#options.log.warn({}, `${this.#options.name} ended by itself; another is started.`);
      this.#retire(running);
    }
    this.#lose(running);
  }

  #replaceStuck(running: Running): void {
    this.#suspicions = 0;
    this.#options.log.warn({}, `${this.#options.name} does not open pages any more; it is replaced.`);
    this.#retire(running);
  }

  /**
   * Abandons a browser that does not respond. Its running captures get a BrowserGone at once, because they would wait
   * in vain.
   */
  #giveUp(running: Running): void {
    this.#options.log.warn({}, `${this.#options.name} does not answer any more; it is replaced.`);
    this.#retire(running);
    this.#lose(running);
  }

  #lose(running: Running): void {
    for (const lose of running.leases) lose(new BrowserGone(running.browser));
    running.leases.clear();
    this.#end(running);
  }

  /**
   * Sends no new captures to this browser, which ends once its running captures have ended. Starts another browser if
   * one must always run.
   */
  #retire(running: Running): void {
    running.isRetired = true;
    if (this.#current !== running) return;
    this.#current = undefined;
    this.restarts += 1;
    if (!this.#isClosed && !this.#startsOnDemand) void this.start();
  }

  #end(running: Running): void {
    if (!this.#open.delete(running)) return;
    clearTimeout(running.idleTimer);
    running.stopWatching();
    running.memory?.end();
    const closing = settledWithin(running.browser.close(), CLOSE_MS);
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}
