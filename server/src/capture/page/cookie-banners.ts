import { settledWithin } from '../../platform/within-time.js';
import type { BlankPage } from '../browser/blank-page.js';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { PageSessions } from '../browser/page-sessions.js';
import type { ProtocolSession } from '../browser/protocol/session.js';
import {
  consentAnswer,
  consentMessage,
  type ConsentMessage,
  consentScript,
  type ConsentScript,
  NEXT_MESSAGE,
} from './consent-scripts.js';
import { onSameDocument } from './load-page.js';
import type { OpenPage } from './open-page.js';
import type { PageRequest } from './page-request.js';

/** The name of the isolated worlds for autoconsent's scripts, which the page's scripts cannot access. */
const WORLD = 'signpost-consent';

/** The isolated JavaScript world in which autoconsent's scripts run beside a document. */
interface World {
  readonly session: ProtocolSession;
  readonly contextId: number;
}

type Frame = ProtocolMapping.Events['Page.frameNavigated'][0]['frame'];

/**
 * The states of handling a document's banner, in order: NOTHING is found yet, its scripts are DETECTED, it is SEEN, it
 * is CLOSED or cannot be.
 */
const NOTHING = 0;
const DETECTED = 1;
const SEEN = 2;
const CLOSED = 3;

/**
 * How long to wait for a banner whose scripts are present. Often there is no banner, for example for visitors from
 * some countries.
 */
const MAX_APPEARING_MS = 1_500;
const MAX_CLOSING_MS = 5_000;
/**
 * How long to wait for autoconsent's checks: it checks when the document is idle, and again half a second later if
 * the page lets it.
 */
const MAX_LOOKING_MS = 3_000;

/**
 * An expression that resolves when the page was idle twice, or after 200 ms. By then, a running check has usually
 * ended, and the page's own scripts have responded to its queries.
 */
const UNTIL_LOOKED = `new Promise((resolve) => {
  const idle = (then) => requestIdleCallback(then, { timeout: 100 });
  idle(() => idle(resolve));
})`;

/** After this many documents, a page is left as it is: it may reload whenever its banner is closed. */
const MAX_DOCUMENTS = 3;
/** In how many frames of a page, including the main frame, to look for a banner. The rules are sent to each of them. */
const MAX_FRAMES = 20;
const MAX_MESSAGES = 500;

/** Whether an expression is truthy for the scripts of the page or frame to which the world belongs. */
async function isTruthyBeside({ session, contextId }: World, code: string): Promise<boolean> {
  const { result: isolatedDocument } = await session.send('Runtime.evaluate', {
    expression: 'document',
    contextId,
  });
  if (isolatedDocument.objectId === undefined) return false;
  const { node } = await session.send('DOM.describeNode', { objectId: isolatedDocument.objectId, depth: 0 });
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId });
  if (object.objectId === undefined) return false;
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId,
    // Returns only true or false, because values that the page controls may be of any size.
    functionDeclaration: `async function () { try { return !!(await (() => { return ${code}; })()); } catch { return false; } }`,
    awaitPromise: true,
    returnByValue: true,
  });
  return result.value === true;
}

async function evaluate({ session, contextId }: World, expression: string): Promise<unknown> {
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  const value: unknown = result.value;
  return value;
}

/** Closes the cookie banners of documents that load from now on, by declining if possible. */
export class CookieBanners {
  #stage = NOTHING;
  #documents = 0;
  #frames = 0;
  /** Whether the second check of the page's own document has begun. */
  #looksAgain = false;
  readonly #checks = new Set<() => void>();

  readonly #script: ConsentScript;

  constructor(sessions: PageSessions, script: ConsentScript) {
    this.#script = script;
    sessions.onSession((session) =>
      session.on('Page.frameNavigated', ({ frame }) => {
        // Ignores errors, because a document and its page may disappear at any time.
        this.#follow(session, frame).catch(() => undefined);
      }),
    );
  }

  /**
   * Resolves when the banner is closed or cannot be, if none is found, shown or closed within a limited time, or at
   * once after more than MAX_DOCUMENTS documents. Throws PageMovedOn if another document arrives.
   */
  async untilClosed(open: OpenPage): Promise<void> {
    if (this.#documents <= MAX_DOCUMENTS) await onSameDocument(open, () => this.#close(open));
  }

  async #close(open: OpenPage): Promise<void> {
    const { deadline } = open;
    const looked = this.#until(() => this.#looksAgain).then(() => open.evaluate(UNTIL_LOOKED));
    const looking = settledWithin(looked, MAX_LOOKING_MS);
    await deadline.race(Promise.race([looking, this.#reaches(DETECTED)]));
    if (this.#stage >= DETECTED) await deadline.race(settledWithin(this.#reaches(SEEN), MAX_APPEARING_MS));
    if (this.#stage >= SEEN) await deadline.race(settledWithin(this.#reaches(CLOSED), MAX_CLOSING_MS));
  }

  /** Looks for a banner in a document, and handles up to MAX_MESSAGES messages of autoconsent's scripts. */
  async #follow(session: ProtocolSession, { id: frameId, parentId, url }: Frame): Promise<void> {
    const isTop = parentId === undefined;
    if (isTop) {
      this.#documents += 1;
      this.#frames = 0;
      this.#stage = NOTHING;
      this.#looksAgain = false;
      this.#check();
    }
    this.#frames += 1;
    if (this.#documents > MAX_DOCUMENTS || this.#frames > MAX_FRAMES) return;
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId,
      worldName: WORLD,
    });
    const world = { session, contextId };
    await evaluate(world, this.#script(url, isTop));
    for (let count = 0; count < MAX_MESSAGES; count += 1)
      await this.#handleMessage(consentMessage.parse(await evaluate(world, NEXT_MESSAGE)), world);
  }

  async #handleMessage(message: ConsentMessage, world: World): Promise<void> {
    if (message.type === 'eval') {
      const result = await isTruthyBeside(world, message.code).catch(() => false);
      await evaluate(world, consentAnswer({ type: 'evalResp', id: message.id, result }));
    } else if (message.type === 'report') this.#lookAgain();
    else if (message.type === 'cmpDetected') this.#reach(DETECTED);
    else if (message.type === 'popupFound') this.#reach(SEEN);
    else if (message.type === 'autoconsentDone' || !message.result) this.#reach(CLOSED);
  }

  #lookAgain(): void {
    this.#looksAgain = true;
    this.#check();
  }

  #reach(stage: number): void {
    this.#stage = Math.max(this.#stage, stage);
    this.#check();
  }

  #reaches(stage: number): Promise<void> {
    return this.#until(() => this.#stage >= stage);
  }

  #check(): void {
    for (const check of this.#checks) check();
  }

  /** Resolves when the condition is true, or when another document has arrived. */
  #until(condition: () => boolean): Promise<void> {
    const document = this.#documents;
    return new Promise((resolve) => {
      const check = () => {
        if (!condition() && this.#documents === document) return;
        this.#checks.delete(check);
        resolve();
      };
      this.#checks.add(check);
      check();
    });
  }
}

/** Closes cookie banners; returns undefined if the request does not ask for that, or if it turns scripts off. */
export async function closeCookieBanners(
  { sessions }: BlankPage,
  { blockCookieBanners, javaScript = true }: PageRequest,
): Promise<CookieBanners | undefined> {
  if (blockCookieBanners !== true || !javaScript) return undefined;
  return new CookieBanners(sessions, await consentScript());
}
