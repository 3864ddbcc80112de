import { MINUTE_MS } from '../../platform/time-units.js';
import type { ProtocolSession } from '../browser/protocol/session.js';

/** After this many tasks in a row, the page's time advances even if there are more. */
const MAX_TASKS_WITHOUT_TIME = 1_000;
/** How much page time a page may use while it loads under our control: enough to load. */
const LOADING_MS = MINUTE_MS;
const PACE_MS = 500;

const ignore = () => undefined;

/** Whether a page's time stands still while requests are running. */
export type TimePolicy = 'pauseIfNetworkFetchesPending' | 'advance';

/**
 * Controls the time of a page. It advances whenever the page's scripts have nothing to do. The browser cannot stop
 * controlling the time, and draws nothing while the page's time is behind real time.
 */
export class PageClock {
  #isOurs = false;
  #pace: NodeJS.Timeout | undefined;
  #onExpired: () => void = ignore;

  readonly #protocol: ProtocolSession;

  constructor(protocol: ProtocolSession) {
    this.#protocol = protocol;
    protocol.on('Emulation.virtualTimeBudgetExpired', () => this.#onExpired());
    protocol.onClosed(() => clearInterval(this.#pace));
  }

  /** Advances the page's time by `pageMs`. Returns whether that was done within `maxMs` of real time. */
  async pass(policy: TimePolicy, pageMs: number, maxMs: number): Promise<boolean> {
    clearInterval(this.#pace);
    let timer: NodeJS.Timeout | undefined;
    const isOver = new Promise<boolean>((resolve) => {
      this.#onExpired = () => resolve(true);
      timer = setTimeout(() => resolve(false), maxMs);
    });
    this.#grant(policy, pageMs);
    return isOver.finally(() => clearTimeout(timer));
  }

  /** Lets the page's time advance together with real time from now on. */
  keepPace(): void {
    clearInterval(this.#pace);
    this.#pace = setInterval(() => this.#grant('advance', PACE_MS), PACE_MS).unref();
  }

  /** Lets a page load that has arrived while we controlled the time. */
  resume(): void {
    if (this.#isOurs) this.#grant('pauseIfNetworkFetchesPending', LOADING_MS);
  }

  #grant(policy: TimePolicy, budget: number): void {
    this.#isOurs = true;
    const maxVirtualTimeTaskStarvationCount = MAX_TASKS_WITHOUT_TIME;
    this.#protocol
      .send('Emulation.setVirtualTimePolicy', { policy, budget, maxVirtualTimeTaskStarvationCount })
      .catch(ignore);
  }
}
