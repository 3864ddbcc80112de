import type { ProtocolSession } from '../browser/protocol/session.js';
import { PageMovedOn } from './page-moved-on.js';

/** After this many tasks in a row, the page's time advances even if there are more. */
const MAX_TASKS_WITHOUT_TIME = 1_000;
const PACE_MS = 500;

const ignore = () => undefined;

/** Whether a page's time stands still while requests are running. */
export type TimePolicy = 'pauseIfNetworkFetchesPending' | 'advance';

/**
 * Controls the time of a page. That time advances whenever the page's scripts have nothing to do. The browser cannot
 * stop controlling the time, and draws nothing while the page's time is behind real time.
 */
export class PageClock {
  #isOurs = false;
  #pace: NodeJS.Timeout | undefined;
  #onExpired: () => void = ignore;
  #onReplaced: () => void = ignore;

  readonly #protocol: ProtocolSession;

  constructor(protocol: ProtocolSession) {
    this.#protocol = protocol;
    protocol.on('Emulation.virtualTimeBudgetExpired', () => this.#onExpired());
    protocol.on('Page.frameNavigated', ({ frame }) => {
      if (!this.#isOurs || frame.parentId !== undefined) return;
      this.#onReplaced();
      // Otherwise the browser would grant the next document the whole time again, in which it may navigate many times.
      this.#grant('advance', PACE_MS);
      this.keepPace();
    });
    protocol.onClosed(() => clearInterval(this.#pace));
  }

  /** Whether we have controlled the time of the page, or of one before it in the same window. */
  get isOurs(): boolean {
    return this.#isOurs;
  }

  /**
   * Advances the page's time by `pageMs`. Returns whether that was done within `maxMs` of real time. Throws PageMovedOn
   * if another document arrives meanwhile.
   */
  async pass(policy: TimePolicy, pageMs: number, maxMs: number): Promise<boolean> {
    clearInterval(this.#pace);
    let timer: NodeJS.Timeout | undefined;
    const isOver = new Promise<boolean>((resolve, reject) => {
      this.#onExpired = () => resolve(true);
      this.#onReplaced = () => reject(new PageMovedOn());
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

  #grant(policy: TimePolicy, budget: number): void {
    this.#isOurs = true;
    const maxVirtualTimeTaskStarvationCount = MAX_TASKS_WITHOUT_TIME;
    this.#protocol
      .send('Emulation.setVirtualTimePolicy', { policy, budget, maxVirtualTimeTaskStarvationCount })
      .catch(ignore);
  }
}
