import type { Log } from '../../platform/log.js';
import type { NetworkProbe } from './network-probe.js';

/**
 * How long the result of a probe is used if the network worked: a short time, so that a failed capture is not explained
 * by an old result.
 */
const FINE_MS = 250;
/** How often the network is probed while it is down. */
const AGAIN_MS = 5_000;
/** How many names are probed in addition to the configured ones: those whose addresses were found last. */
const MAX_RECENT_NAMES = 3;

interface WatchOptions {
  readonly probe: NetworkProbe;
  /** Names to look up. Without any, the network never counts as down. */
  readonly names: readonly string[];
  readonly monotonicMs: () => number;
  readonly log: Log;
  /** Calls back once after a time, unless the returned function is called before. */
  readonly after?: (ms: number, callback: () => void) => () => void;
}

function systemAfter(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms).unref();
  return () => clearTimeout(timer);
}

/**
 * Distinguishes an outage of the server's own network from a page that cannot be reached. Probes the network only when
 * asked, which is after a capture has failed, and during an outage: a server that only captures pages of its own
 * network needs no other network. The probe includes names that were found recently, so that such a server's network
 * does not count as down as long as one of these names is found.
 */
export class NetworkWatch {
  readonly #options: WatchOptions;
  readonly #after: NonNullable<WatchOptions['after']>;
  readonly #recentNames = new Set<string>();
  #problem: string | undefined;
  #probing: Promise<string | undefined> | undefined;
  #probedMs = Number.NEGATIVE_INFINITY;
  #stopWaiting: () => void = () => undefined;
  #isClosed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#after = options.after ?? systemAfter;
  }

  /** Why the network cannot be used, according to the last probe; undefined if it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Records a name whose addresses were found. */
  noteFound(name: string): void {
    this.#recentNames.delete(name);
    this.#recentNames.add(name);
    const [oldest] = this.#recentNames;
    if (this.#recentNames.size > MAX_RECENT_NAMES && oldest !== undefined) this.#recentNames.delete(oldest);
  }

  /**
   * Probes the network, or uses the last result if it is newer than FINE_MS, or than AGAIN_MS if the network was down.
   * Returns why the network cannot be used, as text; undefined if it can, or if there are no configured names.
   */
  async check(): Promise<string | undefined> {
    const { names, monotonicMs } = this.#options;
    if (names.length === 0) return undefined;
    const ageMs = monotonicMs() - this.#probedMs;
    if (ageMs < (this.#problem === undefined ? FINE_MS : AGAIN_MS)) return this.#problem;
    return this.#probeOnce();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting();
  }

  #probeOnce(): Promise<string | undefined> {
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  async #probe(): Promise<string | undefined> {
    const { probe, names, monotonicMs } = this.#options;
    const problem = await probe([...names, ...this.#recentNames]);
    this.#probedMs = monotonicMs();
    this.#note(problem);
    this.#stopWaiting();
    // The next probe ignores the age of this one, because a timer may fire a moment before its time.
    if (problem !== undefined && !this.#isClosed)
      this.#stopWaiting = this.#after(AGAIN_MS, () => void this.#probeOnce());
    return problem;
  }

  /** Stores the problem, and logs it if it has changed. */
  #note(problem: string | undefined): void {
    const { log } = this.#options;
    if (problem === this.#problem) return;
    this.#problem = problem;
    if (problem === undefined) log.info({}, 'The network of this server works again.');
    else
      log.error(
        { reason: problem },
        `Captures fail because this server cannot use its network: ${problem}. Check the machine's network and /etc/resolv.conf.`,
      );
  }
}
