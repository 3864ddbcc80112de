import { settledWithin } from '../../platform/within-time.js';
import { type Browser, BrowserGone } from './browser.js';
import type { Lease } from './browser-supervisor.js';
import type { MemoryWatch } from './memory-watch.js';

const CLOSE_MS = 10_000;

interface SingleUseOptions {
  readonly launch: () => Promise<Browser>;
  readonly watchMemory: (browser: Browser, onOvergrown: () => void) => MemoryWatch | undefined;
}

/**
 * Starts browsers for a single capture each. They are for captures that were running when a browser's shared processes
 * used too much memory: if that happens again, it is clear which page is the cause.
 */
export class SingleUseBrowsers {
  readonly #closing = new Set<Promise<void>>();

  readonly #options: SingleUseOptions;

  constructor(options: SingleUseOptions) {
    this.#options = options;
  }

  async lease(): Promise<Lease> {
    const browser = await this.#options.launch();
    const lost = browser.disconnected.then((): never => {
      throw new BrowserGone(browser);
    });
    lost.catch(() => undefined);
    const memory = this.#options.watchMemory(browser, () => undefined);
    memory?.setBusy(true);
    const release = () => {
      memory?.end();
      this.#close(browser);
    };
    return { browser, lost, memory, isSingleUse: true, release };
  }

  /** Resolves when the browsers of finished captures have ended, or after CLOSE_MS for those that do not end. */
  async untilClosed(): Promise<void> {
    await Promise.all(this.#closing);
  }

  #close(browser: Browser): void {
    const closing = settledWithin(browser.close(), CLOSE_MS);
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}
