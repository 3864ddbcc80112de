import { MINUTE_MS } from '../../platform/time-units.js';
import type { ProtocolSession } from '../browser/protocol/session.js';

/** A page that runs one task after another moves its own time on after so many. */
const MAX_TASKS_WITHOUT_TIME = 1_000;
/** What a page gets that is loaded while its time is ours: enough to load. */
const LOADING_MS = MINUTE_MS;
const PACE_MS = 500;

const ignore = () => undefined;

/** Whether a page's time waits for what it fetches. */
export type TimePolicy = 'pauseIfNetworkFetchesPending' | 'advance';

/**
 * A page's own time, once it is ours: it passes as soon as the page's scripts have nothing to do. The browser has no
 * way to give it back, and draws nothing on a page whose time is behind ours.
 */
export class PageClock {
  #isOurs = false;
  #pace: NodeJS.Timeout | undefined;
  #onExpired: () => void = ignore;

  constructor(private readonly protocol: ProtocolSession) {
    protocol.on('Emulation.virtualTimeBudgetExpired', () => this.#onExpired());
    protocol.onClosed(() => clearInterval(this.#pace));
  }

  /** Lets time pass on the page; whether all of it has within so many milliseconds of ours. */
  async pass(policy: TimePolicy, pageMs: number, maxMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isOver = new Promise<boolean>((resolve) => {
      this.#onExpired = () => resolve(true);
      timer = setTimeout(() => resolve(false), maxMs);
    });
    this.#grant(policy, pageMs);
    return isOver.finally(() => clearTimeout(timer));
  }

  /** From now on the page's time passes as ours does. */
  keepPace(): void {
    clearInterval(this.#pace);
    this.#pace = setInterval(() => this.#grant('advance', PACE_MS), PACE_MS).unref();
  }

  /** Lets a page load that came while time was ours. */
  resume(): void {
    if (this.#isOurs) this.#grant('pauseIfNetworkFetchesPending', LOADING_MS);
  }

  #grant(policy: TimePolicy, budget: number): void {
    this.#isOurs = true;
    const maxVirtualTimeTaskStarvationCount = MAX_TASKS_WITHOUT_TIME;
    this.protocol
      .send('Emulation.setVirtualTimePolicy', { policy, budget, maxVirtualTimeTaskStarvationCount })
      .catch(ignore);
  }
}
