import { MINUTE_MS } from '../../platform/time-units.js';
import type { ProtocolSession } from '../browser/protocol/session.js';

/** After this many tasks in a row, a page's time advances. */
const MAX_TASKS_WITHOUT_TIME = 1_000;
/** The time budget of a page that loads while we control its time: enough to load. */
const LOADING_MS = MINUTE_MS;
const PACE_MS = 500;

const ignore = () => undefined;

/** Whether a page's time waits for its requests. */
export type TimePolicy = 'pauseIfNetworkFetchesPending' | 'advance';

/**
 * Controls a page's own time, which then advances whenever the page's scripts have nothing to do. The browser
 * cannot give control back, and draws nothing on a page whose time is behind real time.
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

  /** Advances the page's time. Returns whether that finished within this many milliseconds of real time. */
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

  /** From now on the page's time advances with real time. */
  keepPace(): void {
    clearInterval(this.#pace);
    this.#pace = setInterval(() => this.#grant('advance', PACE_MS), PACE_MS).unref();
  }

  /** Lets a page load that arrived while we controlled the time. */
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
