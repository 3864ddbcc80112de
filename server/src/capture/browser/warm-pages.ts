import { type BlankPage, openBlankPage } from './blank-page.js';
import type { GuardLane } from '../guard/egress-proxy.js';
import type { Browser } from './browser.js';

/**
 * Keeps pages open for coming captures, because opening a page takes time. Each is used only once.
 */
export class WarmPages {
  /** The unused pages of each browser, some of which may still be opening. They end with the browser. */
  readonly #pages = new WeakMap<Browser, Promise<BlankPage | undefined>[]>();

  readonly #count: number;
  readonly #openLane: () => Promise<GuardLane>;

  constructor(count: number, openLane: () => Promise<GuardLane>) {
    this.#count = count;
    this.#openLane = openLane;
  }

  /**
   * Takes an unused page, and waits until it is open. Opens another if there is none, or if it has failed to open or is
   * closed.
   */
  async take(browser: Browser): Promise<BlankPage> {
    const warm = await this.#of(browser).shift();
    return warm?.protocol.isOpen === true ? warm : this.#open(browser);
  }

  /** Opens missing pages in the background. If a page fails to open, the capture that takes it opens another. */
  refill(browser: Browser): void {
    const pages = this.#of(browser);
    while (pages.length < this.#count) pages.push(this.#open(browser).catch(() => undefined));
  }

  async #open(browser: Browser): Promise<BlankPage> {
    return openBlankPage(browser, await this.#openLane());
  }

  #of(browser: Browser): Promise<BlankPage | undefined>[] {
    let pages = this.#pages.get(browser);
    if (pages === undefined) {
      pages = [];
      this.#pages.set(browser, pages);
    }
    return pages;
  }
}
