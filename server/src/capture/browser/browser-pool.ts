import type { ContextProxy } from './held-requests.js';
import type { Browser } from './browser.js';
import type { BrowserSupervisor, Lease } from './browser-supervisor.js';
import type { LoneBrowsers } from './lone-browsers.js';

interface PoolOptions {
  readonly supervisors: readonly BrowserSupervisor[];
  /** Whether a capture starts a browser where none runs, or leaves that to the supervisors' next try. */
  readonly startsOnDemand: boolean;
  /** Browsers for one capture each, where this pool starts such. */
  readonly lone?: LoneBrowsers;
  /** What a capture is told where there is no browser; the failed starts that it waited for are given. */
  readonly noneIsUp: (failures: readonly unknown[]) => unknown;
}

/** One or more browsers, of which each capture gets the least busy one. */
export class BrowserPool {
  #turn = 0;
  readonly #lastTurns = new Map<BrowserSupervisor, number>();

  constructor(private readonly options: PoolOptions) {}

  get ready(): number {
    return this.options.supervisors.filter(({ state }) => state === 'ready').length;
  }

  get state(): BrowserSupervisor['state'] {
    if (this.ready > 0) return 'ready';
    return this.options.supervisors.some(({ state }) => state === 'starting') ? 'starting' : 'down';
  }

  get restarts(): number {
    return this.options.supervisors.reduce((sum, { restarts }) => sum + restarts, 0);
  }

  /** Starts them all; one that does not start is tried again later. */
  async start(): Promise<void> {
    await Promise.all(this.options.supervisors.map((supervisor) => supervisor.start()));
  }

  /**
   * The least busy browser, another one than `avoided` where there is one. Without any, those that start are waited
   * for; a remote one whose last start failed is not.
   */
  async lease(avoided?: Browser): Promise<Lease> {
    const next = this.#leastBusy(avoided);
    if (next !== undefined) {
      this.#lastTurns.set(next, (this.#turn += 1));
      return next.lease();
    }
    const { supervisors, startsOnDemand, noneIsUp } = this.options;
    const hopeful = startsOnDemand
      ? supervisors
      : supervisors.filter(({ state, hasFailed }) => state === 'starting' && !hasFailed);
    try {
      await Promise.any(hopeful.map((supervisor) => supervisor.whenReady()));
    } catch (error) {
      throw noneIsUp(error instanceof AggregateError ? error.errors : []);
    }
    return this.lease(avoided);
  }

  /** A browser that no other capture uses, where such are started. */
  leaseAlone(): Promise<Lease> {
    return this.options.lone?.lease() ?? this.lease();
  }

  async close(): Promise<void> {
    const { supervisors, lone } = this.options;
    await Promise.all([...supervisors.map((supervisor) => supervisor.close()), lone?.closed()]);
  }

  #leastBusy(avoided: Browser | undefined): BrowserSupervisor | undefined {
    const ready = this.options.supervisors.filter(({ state }) => state === 'ready');
    const others =
      avoided === undefined ? ready : ready.filter((supervisor) => !supervisor.isRunning(avoided));
    const turnOf = (supervisor: BrowserSupervisor) => this.#lastTurns.get(supervisor) ?? 0;
    return (others.length > 0 ? others : ready).toSorted(
      (one, other) => one.active - other.active || turnOf(one) - turnOf(other),
    )[0];
  }
}

/** How one remote browser stands. */
export interface EndpointState {
  /** Host and port. */
  readonly name: string;
  readonly browser: 'ready' | 'starting' | 'down';
  /** Captures under way in it. */
  readonly active: number;
  /** What is wrong, and what to change; undefined where nothing is known to be. */
  readonly problem: string | undefined;
}

/** Where captures are taken: in a browser of this machine, or in remote ones. */
export interface Browsers {
  readonly pool: BrowserPool;
  /** What a context is given to go through the guard; undefined where the browser was started with that. */
  readonly proxy?: ContextProxy;
  /** Captures that one browser takes at the same time. */
  readonly placesEach: number;
  /** How many captures may be under way now. */
  places(): number;
  /** The programs and their versions, as people read them. */
  describe(): string;
  endpoints(): readonly EndpointState[];
}
