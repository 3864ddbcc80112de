import { BrowserDoesNotStart, type BrowserProblem } from './browser-problem.js';
import type { BrowserKind } from './browser-kind.js';
import type { Browser } from './browser.js';
import type { BrowserSupervisor, Lease } from './browser-supervisor.js';
import type { SingleUseBrowsers } from './single-use-browsers.js';

interface PoolOptions {
  readonly supervisors: readonly BrowserSupervisor[];
  /** Whether a capture starts a browser if none runs. If false, the supervisors start their browsers by themselves. */
  readonly startsOnDemand: boolean;
  /** Starts a browser for a single capture; undefined if this pool starts no such browsers. */
  readonly singleUse?: SingleUseBrowsers;
  /** Makes the error for captures if there is no browser. Gets the errors of the starts that the capture waited for. */
  readonly toNoBrowserError: (failures: readonly unknown[]) => unknown;
}

/** One or more browsers. A capture usually gets the least busy one. */
export class BrowserPool {
  #leaseCount = 0;
  readonly #lastLeases = new Map<BrowserSupervisor, number>();

  readonly #options: PoolOptions;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get ready(): number {
    return this.#options.supervisors.filter(({ state }) => state === 'ready').length;
  }

  get state(): BrowserSupervisor['state'] {
    if (this.ready > 0) return 'ready';
    return this.#options.supervisors.some(({ state }) => state === 'starting') ? 'starting' : 'down';
  }

  /** The version of one of the running browsers; empty if none runs. */
  get version(): string {
    return this.#options.supervisors.find(({ version }) => version !== '')?.version ?? '';
  }

  /** Whether no browser runs, and the last start of every browser failed. */
  get hasFailed(): boolean {
    return this.ready === 0 && this.#options.supervisors.every(({ hasFailed }) => hasFailed);
  }

  /**
   * Why the last start of a browser on this machine failed; undefined if that is not known, it did not fail, or a
   * browser runs.
   */
  get problem(): BrowserProblem | undefined {
    const failures = this.ready === 0 ? this.#options.supervisors.map(({ failure }) => failure) : [];
    return failures.find((failure) => failure instanceof BrowserDoesNotStart)?.problem;
  }

  get restarts(): number {
    return this.#options.supervisors.reduce((sum, { restarts }) => sum + restarts, 0);
  }

  /** Starts all browsers. One that fails to start is tried again later. */
  async start(): Promise<void> {
    await Promise.all(this.#options.supervisors.map((supervisor) => supervisor.start()));
  }

  /**
   * Leases the least busy browser, preferably not `avoided`. If none is ready, starts all if captures may start
   * browsers; otherwise waits for those that are starting, except those whose last start failed. Throws the error of
   * `toNoBrowserError` if no browser becomes ready.
   */
  async lease(avoided?: Browser): Promise<Lease> {
    const next = this.#leastBusy(avoided);
    if (next !== undefined) {
      this.#lastLeases.set(next, (this.#leaseCount += 1));
      return next.lease();
    }
    const { supervisors, startsOnDemand, toNoBrowserError } = this.#options;
    const startable = startsOnDemand
      ? supervisors
      : supervisors.filter(({ state, hasFailed }) => state === 'starting' && !hasFailed);
    try {
      await Promise.any(startable.map((supervisor) => supervisor.whenReady()));
    } catch (error) {
      throw toNoBrowserError(error instanceof AggregateError ? error.errors : []);
    }
    return this.lease(avoided);
  }

  /**
   * Leases a browser that no other capture uses if the pool starts such browsers; otherwise does the same as `lease`.
   */
  leaseSingleUse(): Promise<Lease> {
    return this.#options.singleUse?.lease() ?? this.lease();
  }

  async close(): Promise<void> {
    const { supervisors, singleUse } = this.#options;
    await Promise.all([...supervisors.map((supervisor) => supervisor.close()), singleUse?.untilClosed()]);
  }

  #leastBusy(avoided: Browser | undefined): BrowserSupervisor | undefined {
    const ready = this.#options.supervisors.filter(({ state }) => state === 'ready');
    const others =
      avoided === undefined ? ready : ready.filter((supervisor) => !supervisor.isRunning(avoided));
    const lastLeaseOf = (supervisor: BrowserSupervisor) => this.#lastLeases.get(supervisor) ?? 0;
    return (others.length > 0 ? others : ready).toSorted(
      (one, other) => one.active - other.active || lastLeaseOf(one) - lastLeaseOf(other),
    )[0];
  }
}

/** The state of a remote browser. */
export interface EndpointState {
  /** Host and port, with a number if an earlier endpoint has the same. */
  readonly name: string;
  readonly browser: 'ready' | 'starting' | 'down';
  /** The number of running captures. */
  readonly active: number;
  /** Why the browser is not used; undefined while it is ready, and if no reason is known. */
  readonly problem: string | undefined;
}

/** The browsers for captures: those on this machine, or remote ones. */
export interface Browsers {
  /** The browsers that take the captures of each kind. Remote browsers take those of all kinds. */
  readonly pools: Readonly<Record<BrowserKind, BrowserPool>>;
  /** How many captures one browser takes at the same time. */
  readonly slotsEach: number;
  /** How many captures may have a slot at present. */
  slots(): number;
  /** Describes the programs and their versions in words. */
  describe(): string;
  endpoints(): readonly EndpointState[];
}
