import type { CDPSession, Page, Request } from 'playwright';
import { ServiceError } from '../../platform/errors.js';
import { BROWSER_END_MS } from '../browser/browser-gone.js';
import { type MemoryWatch, tooMuchMemory } from '../browser/memory-watch.js';
import type { PreparedPage } from '../browser/warm-pages.js';
import type { CaptureDeadline } from './capture-deadline.js';

/** Requests that say nothing about whether the page is complete: they may last as long as the page. */
const NEVER_AWAITED = new Set(['eventsource', 'websocket', 'ping', 'media']);

/** What a page has under way, and the status with which its document was answered. */
class NetworkActivity {
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
  async untilQuiet(maxMs: number): Promise<void> {
    if (this.#inFlight.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
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

/** A meta element may announce a navigation for any time; a page that moves on later is captured as it is until then. */
const AT_ONCE_SECONDS = 0.1;

/** Knows whether a page is about to move on, by a script or a meta element, before the other document is there. */
class AnnouncedNavigation {
  #isAnnounced = false;
  #onNavigated: (() => void) | undefined;

  constructor(protocol: CDPSession, mainFrameId: string) {
    protocol.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (frameId === mainFrameId && delay < AT_ONCE_SECONDS) this.#isAnnounced = true;
    });
    protocol.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (frameId === mainFrameId && disposition === 'currentTab') this.#isAnnounced = true;
    });
    // Not Playwright's own event, which also comes where a script changes the address of the document that is there.
    protocol.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== mainFrameId) return;
      this.#isAnnounced = false;
      this.#onNavigated?.();
    });
  }

  /** Whether the page moves on within so many milliseconds; false at once where it has not announced that. */
  async happensWithin(maxMs: number): Promise<boolean> {
    if (!this.#isAnnounced) return false;
    const happened = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), maxMs);
      this.#onNavigated = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
    this.#onNavigated = undefined;
    this.#isAnnounced = false;
    return happened;
  }
}

/** A page in a context of its own: nothing of it is shared with any other capture. */
export interface OpenPage {
  readonly page: Page;
  readonly protocol: CDPSession;
  readonly network: NetworkActivity;
  readonly navigation: AnnouncedNavigation;
  readonly deadline: CaptureDeadline;
  /** Evaluates in a world of our own, which the page's scripts cannot change; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>;
}

const crashed = () =>
  new ServiceError('internal', 'The page crashed the browser: it may need more memory than there is.');

/** Puts a page under a deadline; whatever it tries to open or to ask is answered at once and changes nothing. */
export function openPage(
  prepared: PreparedPage,
  deadline: CaptureDeadline,
  memory: MemoryWatch | undefined,
): OpenPage {
  const { context, page, protocol, mainFrameId } = prepared;
  page.on('crash', () =>
    deadline.fail(memory?.claimCrash() === true ? tooMuchMemory(memory.maxBytes) : crashed()),
  );
  page.on('close', () => {
    setTimeout(() => {
      if (context.browser()?.isConnected() === true) deadline.fail(closedItself());
    }, BROWSER_END_MS).unref();
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  context.on('page', (other) => void other.close().catch(() => undefined));
  const network = new NetworkActivity(page);
  const navigation = new AnnouncedNavigation(protocol, mainFrameId);
  let world: Promise<number> | undefined;
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) world = undefined;
  });
  const evaluate = async (expression: string) => {
    world ??= isolatedWorld(protocol, mainFrameId);
    const { result, exceptionDetails } = await deadline.race(
      protocol.send('Runtime.evaluate', {
        expression,
        contextId: await deadline.race(world),
        awaitPromise: true,
        returnByValue: true,
      }),
    );
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    const value: unknown = result.value;
    return value;
  };
  return { page, protocol, network, navigation, deadline, evaluate };
}

const closedItself = () =>
  new ServiceError('invalidRequest', 'The page closed its own window before it was captured.');

async function isolatedWorld(protocol: CDPSession, frameId: string): Promise<number> {
  const { executionContextId } = await protocol.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'signpost',
  });
  return executionContextId;
}
