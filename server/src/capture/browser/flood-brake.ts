import type { Browser } from './browser.js';
import { linuxProcesses, type Processes, showsProcesses } from './browser-processes.js';

/**
 * If the browser takes longer than this to respond to a command, the page that used the most processor time meanwhile
 * is suspended; after each further such time, the next one.
 */
const SLOW_MS = 250;

/**
 * Suspends pages that overload a browser, such as one that writes to the console without end: each line is work for
 * the single thread that opens and captures the pages of all callers. A server that is killed while it suspends a page
 * leaves that page's process behind.
 */
export class FloodBrake {
  #ticks: ReadonlyMap<number, number> = new Map();
  readonly #suspendedPids = new Set<number>();

  readonly #rootPid: number;
  readonly #processes: Processes;

  constructor(rootPid: number, processes: Processes) {
    this.#rootPid = rootPid;
    this.#processes = processes;
  }

  /** Whether any page is suspended. */
  get isOn(): boolean {
    return this.#suspendedPids.size > 0;
  }

  /**
   * Returns the result of a command to the browser. While the response takes too long, suspends the busiest pages, one
   * after another. They stay suspended until `release` is called.
   */
  async during<Result>(answer: Promise<Result>): Promise<Result> {
    this.#readTicks();
    const timer = setInterval(() => this.#suspendBusiest(), SLOW_MS);
    try {
      return await answer;
    } finally {
      clearInterval(timer);
    }
  }

  /** Resumes all suspended pages. */
  release(): void {
    for (const pid of this.#suspendedPids) this.#processes.resume(pid);
    this.#suspendedPids.clear();
  }

  #readTicks(): void {
    const processes = this.#processes;
    const pages = processes.tree(this.#rootPid).filter(({ pid }) => processes.isRenderer(pid));
    this.#ticks = new Map(pages.map(({ pid }) => [pid, processes.ticks(pid)]));
  }

  #suspendBusiest(): void {
    const processes = this.#processes;
    const [busiest] = [...this.#ticks]
      .filter(([pid]) => !this.#suspendedPids.has(pid) && processes.isRenderer(pid))
      .map(([pid, before]) => ({ pid, ticks: processes.ticks(pid) - before }))
      .toSorted((one, other) => other.ticks - one.ticks);
    if (busiest === undefined || busiest.ticks <= 0) return;
    processes.suspend(busiest.pid);
    this.#suspendedPids.add(busiest.pid);
  }
}

/** A brake for a local browser; undefined if the system does not report its processes. */
export const floodBrakeOf = ({ pid }: Browser): FloodBrake | undefined =>
  pid !== undefined && showsProcesses() ? new FloodBrake(pid, linuxProcesses) : undefined;
