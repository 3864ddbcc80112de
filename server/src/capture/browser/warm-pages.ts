import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright';

/** A blank page in a context of its own, in which there is nothing. */
export interface PreparedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly protocol: CDPSession;
  /** What the protocol calls the page's own frame, whichever document is in it. */
  readonly mainFrameId: string;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** What most captures want, and so what a warm page has; changing it takes less long than opening a page. */
export const DEFAULT_VIEWPORT: Viewport = { width: 1920, height: 1080 };

/** The proxy of a browser that was not started with one. */
export type ContextProxy = NonNullable<BrowserContextOptions['proxy']>;

/** A context for one capture. */
export const openContext = (browser: Browser, proxy?: ContextProxy): Promise<BrowserContext> =>
  browser.newContext({
    viewport: DEFAULT_VIEWPORT,
    serviceWorkers: 'block',
    acceptDownloads: false,
    ...(proxy === undefined ? {} : { proxy }),
  });

/** Opens a blank page. */
async function preparePage(browser: Browser, proxy?: ContextProxy): Promise<PreparedPage> {
  const context = await openContext(browser, proxy);
  try {
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await protocol.send('Page.enable');
    const { frameTree } = await protocol.send('Page.getFrameTree');
    return { context, page, protocol, mainFrameId: frameTree.frame.id };
  } catch (error) {
    void context.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Keeps pages open for the captures to come, since opening one takes longer than picturing a small page. Each is used
 * once, and by one capture alone.
 */
export class WarmPages {
  /** A browser that ends takes its pages with it. */
  readonly #pages = new WeakMap<Browser, Promise<PreparedPage | undefined>[]>();

  constructor(
    private readonly count: number,
    private readonly proxy?: ContextProxy,
  ) {}

  /** A page that nothing was done with yet; opened now where none is warm. */
  async take(browser: Browser): Promise<PreparedPage> {
    const warm = await this.#of(browser).shift();
    return warm === undefined || warm.page.isClosed() ? preparePage(browser, this.proxy) : warm;
  }

  /** Opens what is missing, in the background; a page that does not open is for the capture to find out. */
  refill(browser: Browser): void {
    const pages = this.#of(browser);
    while (pages.length < this.count) pages.push(preparePage(browser, this.proxy).catch(() => undefined));
  }

  #of(browser: Browser): Promise<PreparedPage | undefined>[] {
    let pages = this.#pages.get(browser);
    if (pages === undefined) {
      pages = [];
      this.#pages.set(browser, pages);
    }
    return pages;
  }
}
