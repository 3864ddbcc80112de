import type { Browser } from 'playwright';
import { preparePage, type ContextProxy, type PreparedPage } from './prepare-page.js';

/**
 * Keeps pages open for the captures to come, since opening one takes longer than picturing a small page. Each is used
 * once, and by one capture alone.
 */
export class SparePages {
  /** A browser that ends takes its pages with it. */
  readonly #spares = new WeakMap<Browser, Promise<PreparedPage | undefined>[]>();

  constructor(
    private readonly count: number,
    private readonly proxy?: ContextProxy,
  ) {}

  /** A page that nothing was done with yet; opened now where none is spare. */
  async take(browser: Browser): Promise<PreparedPage> {
    const spare = await this.#of(browser).shift();
    return spare === undefined || spare.page.isClosed() ? preparePage(browser, this.proxy) : spare;
  }

  /** Opens what is missing, in the background; a page that does not open is for the capture to find out. */
  refill(browser: Browser): void {
    const spares = this.#of(browser);
    while (spares.length < this.count) spares.push(preparePage(browser, this.proxy).catch(() => undefined));
  }

  #of(browser: Browser): Promise<PreparedPage | undefined>[] {
    let spares = this.#spares.get(browser);
    if (spares === undefined) {
      spares = [];
      this.#spares.set(browser, spares);
    }
    return spares;
  }
}
