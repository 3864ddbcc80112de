import type { ConnectOverCDPTransport } from 'playwright';
import { z } from 'zod';
import type { ProtocolSession } from '../browser/protocol/session.js';

const sentCommand = z.object({
  id: z.number(),
  sessionId: z.string().optional(),
  method: z.string(),
  params: z.unknown().optional(),
});
type SentCommand = z.output<typeof sentCommand>;

const frameDetached = z.object({ reason: z.string() });

/** The made-up id of the session through which Playwright uses the page. */
const SESSION_ID = 'page';
const CONTEXT_ID = 'context';

/**
 * Commands that would change what the capture has set up, or make the browser report what no step needs. They do not
 * reach the browser: Playwright gets the version of the browser for Browser.getVersion, and an empty reply to the
 * others.
 */
const NOT_FORWARDED =
  /^(?:Browser|Emulation|Fetch|Log|Network|Security|Target)\.|^Page\.set(?:InterceptFileChooserDialog|FontFamilies|BypassCSP)$/u;

/** Events that Playwright does not need. A page can cause any number of console messages. */
const NOT_PASSED_ON = new Set([
  'Page.javascriptDialogClosed',
  'Page.javascriptDialogOpening',
  'Page.windowOpen',
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
]);

interface PageForPlaywright {
  /** A session with the page that only Playwright uses. */
  readonly session: ProtocolSession;
  readonly targetId: string;
  /** The reply to Browser.getVersion. */
  readonly version: unknown;
}

/**
 * Connects Playwright to one page of a browser that this process already controls. Playwright sees a browser with a
 * single page: it neither sees nor disturbs other captures, and the capture keeps its own sessions.
 */
export class PlaywrightTransport implements ConnectOverCDPTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #page: PageForPlaywright;
  readonly #undelivered: object[] = [];
  #isOpen = true;

  constructor(page: PageForPlaywright) {
    this.#page = page;
    page.session.onAnyEvent((method, params) => this.#passOn(method, params));
    page.session.onClosed(() => this.close());
  }

  send(message: object): void {
    const command = sentCommand.parse(message);
    if (command.sessionId === SESSION_ID && !NOT_FORWARDED.test(command.method)) {
      this.#forward(command);
      return;
    }
    const isVersion = command.method === 'Browser.getVersion';
    this.#deliver({
      id: command.id,
      sessionId: command.sessionId,
      result: isVersion ? this.#page.version : {},
    });
    if (command.method === 'Target.setAutoAttach' && command.sessionId === undefined) this.#announcePage();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    queueMicrotask(() => this.onclose?.());
  }

  /**
   * Sends a command so that its reply keeps its position among the events, because Playwright relies on their order.
   */
  #forward({ id, sessionId, method, params }: SentCommand): void {
    this.#page.session.forward(method, params, {
      resolve: (result) => this.#deliver({ id, sessionId, result }),
      reject: (error) => this.#deliver({ id, sessionId, error: { message: error.message } }),
    });
  }

  #announcePage(): void {
    const { targetId } = this.#page;
    const targetInfo = {
      targetId,
      type: 'page',
      title: '',
      url: '',
      attached: true,
      browserContextId: CONTEXT_ID,
    };
    this.#deliver({
      method: 'Target.attachedToTarget',
      params: { sessionId: SESSION_ID, targetInfo, waitingForDebugger: false },
    });
  }

  #passOn(method: string, params: unknown): void {
    if (NOT_PASSED_ON.has(method) || method.startsWith('Target.')) return;
    // When a frame moves to another process, Playwright is told that the frame was detached, because otherwise it
    // would wait for that frame.
    const isSwap = method === 'Page.frameDetached' && frameDetached.safeParse(params).data?.reason === 'swap';
    const passed = isSwap && typeof params === 'object' ? { ...params, reason: 'remove' } : params;
    this.#deliver({ method, sessionId: SESSION_ID, params: passed });
  }

  /**
   * Delivers each message in its own turn of the event loop, because Playwright begins to listen to some events only
   * after it has handled an earlier reply.
   */
  #deliver(message: object): void {
    this.#undelivered.push(message);
    if (this.#undelivered.length === 1) setImmediate(this.#deliverNext);
  }

  readonly #deliverNext = (): void => {
    const [message] = this.#undelivered;
    if (!this.#isOpen || message === undefined) return;
    try {
      this.onmessage?.(message);
    } catch {
      // One of Playwright's own assertions has failed, so nothing more can be done with it.
      this.close();
    }
    this.#undelivered.shift();
    if (this.#undelivered.length > 0) setImmediate(this.#deliverNext);
  };
}
