import type { Page, Request } from 'playwright';

/** Requests that say nothing about whether the page is complete: they may last as long as the page. */
const NEVER_AWAITED = new Set(['eventsource', 'websocket', 'ping', 'media']);

/** What a page has under way, and the status with which its document was answered. */
export class NetworkActivity {
  /** The status of the last document that the main frame was answered with; 0 before the first. */
  pageStatus = 0;
  readonly #inFlight = new Set<Request>();
  #onQuiet: (() => void) | undefined;

  constructor(page: Page) {
    page.on('request', (request) => {
      if (!NEVER_AWAITED.has(request.resourceType())) this.#inFlight.add(request);
    });
    page.on('requestfinished', (request) => this.#end(request));
    page.on('requestfailed', (request) => this.#end(request));
    page.on('response', (response) => {
      const request = response.request();
      if (request.isNavigationRequest() && request.frame() === page.mainFrame())
        this.pageStatus = response.status();
    });
  }

  /** Resolves when nothing is under way any more, after so many milliseconds at the latest. */
  async untilQuiet(mostMs: number): Promise<void> {
    if (this.#inFlight.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.#onQuiet = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onQuiet = undefined;
  }

  #end(request: Request): void {
    if (this.#inFlight.delete(request) && this.#inFlight.size === 0) this.#onQuiet?.();
  }
}
