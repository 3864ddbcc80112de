import { type BlankPage, openBlankPage } from './blank-page.js';
import type { Browser } from './browser.js';
import type { ContextProxy } from './held-requests.js';

/**
 * Keeps pages open for the captures to come, since opening one takes longer than picturing a small page. Each is used
 * once, and by one capture alone.
 */
export class WarmPages {
  /** A browser that ends takes its pages with it. */
  readonly #pages = new WeakMap<Browser, Promise<BlankPage | undefined>[]>();

  constructor(
    private readonly count: number,
    private readonly proxy?: ContextProxy,
  ) {}

  /** A page that nothing was done with yet; opened now where none is warm. */
  async take(browser: Browser): Promise<BlankPage> {
    const warm = await this.#of(browser).shift();
    return warm?.protocol.isOpen === true ? warm : openBlankPage(browser, this.proxy);
  }

  /** Opens what is missing, in the background; a page that does not open is for the capture to find out. */
  refill(browser: Browser): void {
    const pages = this.#of(browser);
    while (pages.length < this.count) pages.push(openBlankPage(browser, this.proxy).catch(() => undefined));
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
