import { LIMITS } from '@signpost/contract';
import type { Browser } from './browser.js';
import { isolatesSites } from './browser-kind.js';
import type { GuardLane } from '../guard/egress-proxy.js';
import type { RejectionRecord } from '../guard/rejections.js';
import { RequestInterceptor } from './request-interceptor.js';
import { MainDocument } from './main-document.js';
import { followRenderers } from './page-renderers.js';
import { PageSessions } from './page-sessions.js';
import type { ProtocolSession } from './protocol/session.js';

export interface Viewport {
  readonly width: number;
  readonly height: number;
  /** Picture pixels per CSS pixel in each direction; 1 by default. */
  readonly scaleFactor?: number;
  /**
   * Whether the page is shown as on a phone: its viewport meta element is respected, and a page wider than the
   * window is shown completely.
   */
  readonly isMobile?: boolean;
}

/** The default viewport of captures, with which blank pages are opened. */
export const DEFAULT_VIEWPORT: Viewport = {
  width: LIMITS.viewport.defaultWidth,
  height: LIMITS.viewport.defaultHeight,
};

/** A dedicated worker that a page, or another worker of the page, has started. */
interface PageWorker {
  readonly url: string;
  /** The frame that uses the worker, even if another worker started it. */
  readonly parentFrameId?: string;
}

/** A blank page, alone in a context of its own. */
export interface BlankPage {
  /** The session of the page and of its frames in the same process. */
  readonly protocol: ProtocolSession;
  readonly sessions: PageSessions;
  /**
   * The ids of the processes that run the page, whose memory counts together. Empty in browsers that run each page in
   * one process, and in remote browsers.
   */
  readonly renderers: Set<number>;
  readonly document: MainDocument;
  readonly requests: RequestInterceptor;
  /** From now on, calls the listener with each dedicated worker of the page or its workers before that worker runs. */
  onWorker(listener: (worker: PageWorker) => void): Promise<void>;
  /** Why hosts that the page asked for gave no response that the guard could pass on. */
  readonly rejections: RejectionRecord;
  /** Closes the context with everything in it. */
  close(): Promise<void>;
}

/**
 * Parameters of Target.setAutoAttach for browsers in which a page and its frames share one process: attaches only to
 * windows that the page opens.
 */
const ONE_PROCESS = {
  waitForDebuggerOnStart: false,
  filter: [{ type: 'page' }, { exclude: true }],
};
const SEVERAL_PROCESSES = {
  waitForDebuggerOnStart: true,
  filter: [{ type: 'page' }, { type: 'iframe' }, { type: 'worker' }, { exclude: true }],
};

/**
 * How long a callback of requestAnimationFrame waits for a frame, in page time (virtual time), before a timer runs it:
 * `following` while animation frames are to follow page time, otherwise `usual`. Real frames usually come first, except
 * while page time passes quickly.
 */
const FRAME_DELAYS_MS = { usual: 100, following: 16 };
/** If page time is ahead of a frame's timestamp by more than this, the callbacks get page time instead. */
const AHEAD_MS = 1_000;

/**
 * A script that keeps pages from registering service workers: they would outlive the page, and their requests would
 * belong to no page.
 */
const WITHOUT_SERVICE_WORKERS = `if (globalThis.ServiceWorkerContainer !== undefined) {
  Object.defineProperty(ServiceWorkerContainer.prototype, 'register', {
    value: async function register() { throw new DOMException('Service workers are off.', 'SecurityError'); },
  });
}`;

/**
 * A script that runs the callbacks of animation frames by a timer if no frame comes for a while. The browser draws
 * frames in real time, and draws none while page time passes quickly, but a page that draws in frames must see page
 * time pass evenly.
 */
const FRAMES_BY_THE_CLOCK = `{
  const [request, cancel] = [requestAnimationFrame, cancelAnimationFrame];
  const [setTimer, clearTimer] = [setTimeout, clearTimeout];
  const clock = performance;
  const timers = new Map();
  const follow = Symbol.for('signpost.framesFollowPageTime');
  const isFollowing = () => {
    try {
      return top[follow] === true;
    } catch {
      return false;
    }
  };
  const isAhead = (now, time) => now - time > ${AHEAD_MS} || isFollowing();
  const forget = (id) => {
    clearTimer(timers.get(id));
    timers.delete(id);
  };
  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    if (typeof callback !== 'function') return request.call(window, callback);
    const id = request.call(window, (time) => {
      forget(id);
      const now = clock.now();
      callback(isAhead(now, time) ? now : time);
    });
    const run = () => {
      forget(id);
      cancel.call(window, id);
      callback(clock.now());
    };
    timers.set(id, setTimer(run, isFollowing() ? ${FRAME_DELAYS_MS.following} : ${FRAME_DELAYS_MS.usual}));
    return id;
  };
  window.cancelAnimationFrame = function cancelAnimationFrame(id) {
    forget(id);
    cancel.call(window, id);
  };
}`;

const ignore = () => undefined;

export const setViewport = async (
  protocol: ProtocolSession,
  { width, height, scaleFactor = 1, isMobile = false }: Viewport,
): Promise<void> =>
  protocol.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    screenWidth: width,
    screenHeight: height,
    deviceScaleFactor: scaleFactor,
    mobile: isMobile,
  });

interface MediaPreferences {
  readonly colorScheme: 'light' | 'dark';
  readonly motion: 'reduce' | 'no-preference';
  readonly media?: 'screen' | 'print' | undefined;
}

/**
 * Sets the media type and the media features that styles can query. By default, the type is print for PDFs, and screen
 * for other captures.
 */
export const setMedia = async (
  protocol: ProtocolSession,
  { colorScheme, motion, media }: MediaPreferences,
): Promise<void> =>
  protocol.send('Emulation.setEmulatedMedia', {
    media: media ?? '',
    features: [
      { name: 'prefers-color-scheme', value: colorScheme },
      { name: 'prefers-reduced-motion', value: motion },
    ],
  });

/** Which of a page's windows, frames and workers are attached, and whether they wait until they are configured. */
type AttachOptions = typeof ONE_PROCESS | typeof SEVERAL_PROCESSES;

const attachChildren = (protocol: ProtocolSession, children: AttachOptions): Promise<void> =>
  protocol.send('Target.setAutoAttach', { autoAttach: true, flatten: true, ...children });

/** Configures frames in other processes like their page, reports workers, and closes windows that the page opens. */
function configureChildren(
  browser: Browser,
  protocol: ProtocolSession,
  sessions: PageSessions,
  onWorker: (worker: PageWorker) => void,
): void {
  protocol.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const { targetId, type } = targetInfo;
    if (type === 'page') {
      browser.protocol.send('Target.closeTarget', { targetId }).catch(ignore);
      return;
    }
    const child = browser.connection.session(sessionId);
    configureChildren(browser, child, sessions, onWorker);
    attachChildren(child, SEVERAL_PROCESSES).catch(ignore);
    if (type === 'worker') onWorker(targetInfo);
    if (type === 'iframe') {
      child.send('Page.enable').catch(ignore);
      child.send('Inspector.enable').catch(ignore);
      child.follow(protocol);
      // The main frame of a target has the target's id.
      sessions.add({ session: child, frameId: targetId, parentFrameId: targetInfo.parentFrameId });
    }
    child.send('Runtime.runIfWaitingForDebugger').catch(ignore);
  });
}

/** Sets up a page. Its dialogs are closed at once, with consent only if the page asks whether to leave it. */
async function setUp(browser: Browser, protocol: ProtocolSession, requests: RequestInterceptor) {
  protocol.on('Page.javascriptDialogOpening', ({ type }) => {
    // A page that asks whether to leave it would otherwise stay.
    const accept = type === 'beforeunload';
    protocol.send('Page.handleJavaScriptDialog', { accept }).catch(ignore);
  });
  await Promise.all([
    protocol.send('Page.enable'),
    protocol.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    protocol.send('Inspector.enable'),
    attachChildren(protocol, browser.mayIsolateFrames ? SEVERAL_PROCESSES : ONE_PROCESS),
    protocol.send('Page.addScriptToEvaluateOnNewDocument', { source: WITHOUT_SERVICE_WORKERS }),
    setViewport(protocol, DEFAULT_VIEWPORT),
    protocol.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    protocol.send('Emulation.setScrollbarsHidden', { hidden: true }),
    setMedia(protocol, { colorScheme: 'light', motion: 'reduce' }),
    protocol.send('Page.addScriptToEvaluateOnNewDocument', { source: FRAMES_BY_THE_CLOCK }),
    requests.authenticate(),
  ]);
}

/**
 * Opens a context that uses the network through this lane of the guard. The lane closes with the context or the
 * browser.
 */
async function openContext(browser: Browser, lane: GuardLane) {
  const closeLane = () => lane.close();
  void browser.disconnected.then(closeLane);
  const { browserContextId } = await browser.protocol.send('Target.createBrowserContext', {
    disposeOnDetach: true,
    proxyServer: lane.proxy.server,
    proxyBypassList: lane.proxy.bypass,
  });
  const close = () => {
    closeLane();
    return browser.protocol.send('Target.disposeBrowserContext', { browserContextId });
  };
  return { browserContextId, close };
}

/** Opens a blank page in a context of its own, which has no permissions and rejects downloads. */
export async function openBlankPage(browser: Browser, lane: GuardLane): Promise<BlankPage> {
  const { browserContextId, close } = await openContext(browser, lane).catch((error: unknown) => {
    lane.close();
    throw error;
  });
  try {
    const [{ targetId }] = await Promise.all([
      browser.protocol.send('Target.createTarget', { url: 'about:blank', browserContextId }),
      browser.protocol.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      browser.protocol.send('Browser.grantPermissions', { permissions: [], browserContextId }),
    ]);
    const attached = await browser.protocol.send('Target.attachToTarget', { targetId, flatten: true });
    const protocol = browser.connection.session(attached.sessionId);
    // The main frame has the id of its target.
    const document = new MainDocument(protocol, targetId);
    const sessions = new PageSessions(protocol, targetId);
    const requests = new RequestInterceptor(sessions, lane.proxy);
    const workerListeners: ((worker: PageWorker) => void)[] = [];
    const onWorker = async (listener: (worker: PageWorker) => void) => {
      workerListeners.push(listener);
      await attachChildren(protocol, SEVERAL_PROCESSES);
    };
    configureChildren(browser, protocol, sessions, (worker) =>
      workerListeners.forEach((listener) => listener(worker)),
    );
    await setUp(browser, protocol, requests);
    const renderers = isolatesSites(browser.kind) ? followRenderers(sessions) : new Set<number>();
    const { rejections } = lane;
    return { protocol, sessions, renderers, document, requests, rejections, onWorker, close };
  } catch (error) {
    close().catch(ignore);
    throw error;
  }
}
