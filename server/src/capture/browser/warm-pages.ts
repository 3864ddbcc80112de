import { type BlankPage, openBlankPage } from './blank-page.js';
import type { Browser } from './browser.js';
import type { ContextProxy } from './held-requests.js';

/**
 * Keeps pages open for coming captures, because opening one takes longer than capturing a small page. Each
 * page is used once, by one capture.
 */
export class WarmPages {
  /** When a browser ends, so do its pages. */
  readonly #pages = new WeakMap<Browser, Promise<BlankPage | undefined>[]>();

  constructor(
    private readonly count: number,
    private readonly proxy?: ContextProxy,
  ) {}

  /** Returns an unused page; opens one now if none is warm. */
  async take(browser: Browser): Promise<BlankPage> {
    const warm = await this.#of(browser).shift();
    return warm?.protocol.isOpen === true ? warm : openBlankPage(browser, this.proxy);
  }

  /** Opens missing pages in the background. Captures notice a page that fails to open. */
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
