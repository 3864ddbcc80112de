import { ServiceError } from '../../platform/errors.js';
import type { Log } from '../../platform/log.js';
import type { Browser } from './browser.js';
import { linuxProcesses, type Processes, showsProcesses } from './browser-processes.js';

/** How often to check while captures run. A page can fill some hundred megabytes in this time. */
const BUSY_INTERVAL_MS = 100;
/** How often to check while no capture runs. A page whose capture has ended may still run until it is closed. */
const IDLE_INTERVAL_MS = 1_000;
/** After the watch has killed a page, a crash within this time counts as caused by the watch. */
const CLAIM_MS = 5_000;
/**
 * A process that pages share may use this many times the memory limit of a capture, because creating the picture of a
 * tall page takes much memory in it.
 */
const SHARED_FACTOR = 2;

const MEGABYTE = 1_000_000;

export const tooMuchMemory = (maxBytes: number) =>
  new ServiceError(
    'invalidRequest',
    `The page takes more memory than the ${maxBytes / MEGABYTE} MB that one capture may use. Capture a lighter page, or ` +
      'ask the operator to raise SIGNPOST_CAPTURE_MEMORY_MEGABYTES.',
    { reason: 'memory' },
  );

interface WatchOptions {
  readonly rootPid: number;
  readonly maxBytes: number;
  readonly processes: Processes;
  readonly monotonicMs: () => number;
  /**
   * Called once, before the browser is ended because a process that its pages share used too much memory. Which page
   * caused that is not known.
   */
  readonly onOvergrown: () => void;
  readonly log: Log;
}

/**
 * Watches the memory of one browser's processes. The renderers of a page are counted together, and all of them are
 * ended if they use too much. A renderer whose page is not known is limited by itself. If a process that pages share
 * uses too much, the whole browser is ended.
 */
export class MemoryWatch {
  /** Whether the browser was ended because a process that its pages share used too much. */
  hasEndedBrowser = false;
  /**
   * The ids of processes that this watch has killed and the system still lists. Later, the system may reuse these ids.
   */
  #endedPids: readonly number[] = [];
  #unclaimedMs: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The renderers of each page that may have more than one. */
  readonly #pages = new Set<Set<number>>();
  #isBusy: boolean | undefined;

  readonly #options: WatchOptions;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** Sets whether captures run: checks are more frequent then. The first call starts the checks. */
  setBusy(isBusy: boolean): void {
    if (this.#isBusy === isBusy) return;
    this.#isBusy = isBusy;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.check(), isBusy ? BUSY_INTERVAL_MS : IDLE_INTERVAL_MS).unref();
  }

  /** Checks all processes once. */
  check(): void {
    const { rootPid, maxBytes, processes } = this.#options;
    const tree = processes.tree(rootPid);
    this.#endedPids = this.#endedPids.filter((endedPid) => tree.some(({ pid }) => pid === endedPid));
    for (const renderers of this.#pages) {
      const running = tree.filter(({ pid }) => renderers.has(pid) && processes.isRenderer(pid));
      // The system may reuse the ids of ended processes for other pages.
      for (const pid of renderers) if (!running.some((one) => one.pid === pid)) renderers.delete(pid);
      const bytes = running.reduce((sum, one) => sum + one.bytes, 0);
      if (bytes > maxBytes && !running.some(({ pid }) => this.#endedPids.includes(pid)))
        this.#endPage(
          running.map(({ pid }) => pid),
          bytes,
        );
    }
    for (const { pid, bytes } of tree) {
      if (bytes <= maxBytes || this.#endedPids.includes(pid)) continue;
      if (processes.isRenderer(pid)) this.#endPage([pid], bytes);
      else if (bytes > SHARED_FACTOR * maxBytes) this.#endBrowser(bytes);
    }
  }

  /**
   * Counts the memory of these renderers together. The caller may add to the set later; `check` removes those that have
   * ended. Returns a function that ends the counting.
   */
  trackPage(renderers: Set<number>): () => void {
    this.#pages.add(renderers);
    return () => void this.#pages.delete(renderers);
  }

  /**
   * Whether this watch counts as the cause of a crash that just happened: if it has killed a page within the last
   * CLAIM_MS. Returns true only once per killed page.
   */
  claimCrash(): boolean {
    const sinceMs = this.#options.monotonicMs() - CLAIM_MS;
    this.#unclaimedMs = this.#unclaimedMs.filter((endedMs) => endedMs >= sinceMs);
    return this.#unclaimedMs.shift() !== undefined;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #endPage(pids: readonly number[], bytes: number): void {
    const { processes, monotonicMs, log } = this.#options;
    this.#endedPids = [...this.#endedPids, ...pids];
    this.#unclaimedMs.push(monotonicMs());
    for (const pid of pids) processes.kill(pid);
    log.warn(
      { megabytes: bytes / MEGABYTE },
      'A page took more memory than a capture may use; it was ended.',
    );
  }

  #endBrowser(bytes: number): void {
    if (this.hasEndedBrowser) return;
    this.hasEndedBrowser = true;
    const { rootPid, processes, onOvergrown, log } = this.#options;
    log.warn(
      { megabytes: bytes / MEGABYTE },
      'What pages share in the browser took too much memory; the browser is replaced.',
    );
    onOvergrown();
    for (const { pid } of processes.tree(rootPid).toReversed()) processes.kill(pid);
  }
}

/** The memory limit of one capture, and the log for pages and browsers that are ended. */
export interface MemoryOptions {
  readonly maxMemoryBytes: number;
  readonly log: Log;
}

/** Watches a local browser; undefined if the system does not report its processes. */
export function watchMemory(
  { pid: rootPid }: Browser,
  { maxMemoryBytes, log }: MemoryOptions,
  onOvergrown: () => void,
): MemoryWatch | undefined {
  if (!showsProcesses() || rootPid === undefined) return undefined;
  linuxProcesses.preferForOomKill(rootPid);
  const watch = new MemoryWatch({
    rootPid,
    maxBytes: maxMemoryBytes,
    processes: linuxProcesses,
    monotonicMs: () => performance.now(),
    onOvergrown,
    log,
  });
  watch.setBusy(false);
  return watch;
}
