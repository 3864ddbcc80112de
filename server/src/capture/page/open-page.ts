import { ServiceError } from '../../platform/errors.js';
import type { BlankPage } from '../browser/blank-page.js';
import { BROWSER_END_MS } from '../browser/browser.js';
import type { RequestInterceptor } from '../browser/request-interceptor.js';
import type { Lease } from '../browser/browser-supervisor.js';
import type { MainDocument } from '../browser/main-document.js';
import { tooMuchMemory } from '../browser/memory-watch.js';
import type { PageSessions } from '../browser/page-sessions.js';
import type { ProtocolSession } from '../browser/protocol/session.js';
import type { CaptureDeadline } from './capture-deadline.js';
import { PageClock } from './page-clock.js';
import { isPageIdle } from './page-idle.js';
import type { WorkPermit } from './work-permits.js';

/** A page in a browser context of its own, and the state of its capture. */
export interface OpenPage {
  readonly protocol: ProtocolSession;
  readonly sessions: PageSessions;
  readonly requests: RequestInterceptor;
  readonly document: MainDocument;
  readonly clock: PageClock;
  readonly deadline: CaptureDeadline;
  /**
   * Whether this page is too busy to come to rest, according to an earlier attempt, a check after its steps, or its
   * many navigations.
   */
  isRestless: boolean;
  /** Whether the server reads files before the browser gets them. */
  readonly takesFiles: boolean;
  /**
   * Evaluates an expression in our isolated world, which the page's scripts cannot change. Awaits the result if it
   * is a promise. Throws a ProtocolError if that takes longer than `maxMs`.
   */
  evaluate(expression: string, maxMs?: number): Promise<unknown>;
  /** Whether an expression is true for the page's own scripts, which can fake the result. */
  isTrueInPage(expression: string): Promise<boolean>;
  /**
   * Resolves or rejects like `waiting`. Other captures may work meanwhile, if the page is idle or if `hasPage` is false
   * because it is not there yet; this capture continues when it is its turn to work again.
   */
  readonly yieldDuring: <Result>(waiting: Promise<Result>, hasPage?: boolean) => Promise<Result>;
  /** Whether other captures wait for their turn to work. */
  readonly doOthersWait: () => boolean;
  /** How long the capture has waited in total for its turns to work. */
  readonly waitedMs: () => number;
}

/** The parts of a capture that an open page needs. */
interface PageCapture {
  readonly deadline: CaptureDeadline;
  readonly permit: WorkPermit;
  /** Whether an earlier attempt found that the page is too busy to come to rest. */
  readonly isRestless: boolean;
  readonly takesFiles: boolean;
  /** Ends this attempt at the page. */
  readonly fail: (error: Error) => void;
}

const crashed = () =>
  new ServiceError('internal', 'The page crashed the browser: it may need more memory than there is.');

const tooMuchReported = () =>
  new ServiceError(
    'invalidRequest',
    'The page has the browser report more than the 4 MB at once, or 32 MB in all, that a capture may take. These are ' +
      'addresses, names of frames and dialogs and, with "html", "blockAds", "headers", "cookies" or "basicAuth", whatever ' +
      'the page sends in requests. Capture a page that sends less, or leave these fields out.',
  );

export const closedItself = () =>
  new ServiceError('invalidRequest', 'The page closed its own window before it was captured.');

/** The name of our isolated world in each document. The page's scripts cannot change that world. */
export const OWN_WORLD = 'signpost';

/** Matches the error that the world no longer exists, because its document was replaced. */
const WORLD_GONE = /Cannot find context/u;

/** Creates our world in each new document. The returned `current` resolves with the world of the current document. */
function isolatedWorlds({ protocol, document }: BlankPage) {
  let count = -1;
  let world: Promise<number> = Promise.resolve(0);
  const create = async () => {
    const { executionContextId } = await protocol.send('Page.createIsolatedWorld', {
      frameId: document.frameId,
      worldName: OWN_WORLD,
    });
    return executionContextId;
  };
  const current = () => {
    if (count !== document.count) world = create();
    count = document.count;
    return world;
  };
  protocol.on('Page.frameNavigated', ({ frame }) => {
    // Callers of `current` get the error, so it is ignored here.
    if (frame.id === document.frameId) current().catch(() => undefined);
  });
  /**
   * Makes the next call of `current` create the world again: a `javascript:` address can replace the document without a
   * navigation.
   */
  const forget = () => void (count = -1);
  return { current, forget };
}

/**
 * An expression for whether another one is true; false if that one throws. It is a boolean, because values that the
 * page controls, such as an error message, may be of any size.
 */
const isTrue = (expression: string) =>
  `(() => { try { return (${expression}) === true; } catch { return false; } })()`;

/**
 * Puts a page under the capture's deadline. If the page crashes, closes itself or has the browser report too much,
 * this attempt ends.
 */
export function openPage(
  page: BlankPage,
  { browser, memory }: Lease,
  { deadline, permit, isRestless, takesFiles, fail }: PageCapture,
): OpenPage {
  const { protocol, sessions, requests, renderers, document } = page;
  let hasCrashed = false;
  sessions.onSession((session) =>
    session.on('Inspector.targetCrashed', () => {
      if (hasCrashed) return;
      hasCrashed = true;
      fail(memory?.claimCrash() === true ? tooMuchMemory(memory.maxBytes) : crashed());
    }),
  );
  if (renderers.size > 0) protocol.onClosed(memory?.trackPage(renderers) ?? (() => undefined));
  protocol.events.onExhausted(() => fail(tooMuchReported()));
  protocol.onClosed(() => {
    setTimeout(() => {
      if (browser.isConnected()) fail(closedItself());
    }, BROWSER_END_MS).unref();
  });
  const worlds = isolatedWorlds(page);
  const run = async (expression: string, contextId?: number, maxMs?: number) => {
    // Ends the script from here, because the browser's own time limit would depend on the page's clock, which may be
    // paused.
    const terminate = () => void protocol.send('Runtime.terminateExecution').catch(() => undefined);
    const timer = maxMs === undefined ? undefined : setTimeout(terminate, maxMs);
    const evaluating = protocol.send('Runtime.evaluate', {
      expression,
      ...(contextId === undefined ? {} : { contextId }),
      awaitPromise: true,
      returnByValue: true,
    });
    const { result, exceptionDetails } = await deadline.race(evaluating).finally(() => clearTimeout(timer));
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    const value: unknown = result.value;
    return value;
  };
  return {
    protocol,
    sessions,
    requests,
    document,
    clock: new PageClock(protocol),
    deadline,
    isRestless,
    takesFiles,
    evaluate: async (expression, maxMs) => {
      const world = await deadline.race(worlds.current());
      return run(expression, world, maxMs).catch((error: unknown) => {
        if (error instanceof Error && WORLD_GONE.test(error.message)) worlds.forget();
        throw error;
      });
    },
    isTrueInPage: async (expression) => (await run(isTrue(expression))) === true,
    yieldDuring: async (waiting, hasPage = true) => {
      await permit.yieldDuring(waiting, async () => !hasPage || (await isPageIdle(protocol)));
      if (!permit.isHeld) await deadline.pause(permit.take());
      return waiting;
    },
    doOthersWait: () => permit.hasWaiters,
    waitedMs: () => permit.waitedMs,
  };
}
