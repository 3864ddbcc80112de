import { LIMITS } from '@signpost/contract';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { Browser } from './browser.js';
import { type ContextProxy, HeldRequests } from './held-requests.js';
import { MainDocument } from './main-document.js';
import type { ProtocolSession } from './protocol/session.js';

export interface Viewport {
  readonly width: number;
  readonly height: number;
  /** How many pixels of a picture one of the page's is wide and tall: 1 unless set. */
  readonly scaleFactor?: number;
  /** Whether the page may say how wide it is laid out, and is shown whole where it is wider. */
  readonly isMobile?: boolean;
}

/** What most captures want, and so what a blank page has; changing it takes less long than opening a page. */
export const DEFAULT_VIEWPORT: Viewport = {
  width: LIMITS.viewport.defaultWidth,
  height: LIMITS.viewport.defaultHeight,
};

/** A worker of a page. */
interface PageWorker {
  readonly url: string;
  /** The frame that it works for, also if another worker started it. */
  readonly parentFrameId?: string;
}

/** A blank page in a context of its own, in which there is nothing. */
export interface BlankPage {
  readonly protocol: ProtocolSession;
  readonly document: MainDocument;
  readonly requests: HeldRequests;
  /** From now on, calls the listener with each worker of the page and of its workers before the worker runs. */
  onWorker(listener: (worker: PageWorker) => void): Promise<void>;
  /** Closes the context, and with it all that there is in it. */
  close(): Promise<void>;
}

/** In a browser of ours a page and its frames are one process; elsewhere its parts wait until they may run. */
const ONE_PROCESS = {
  waitForDebuggerOnStart: false,
  filter: [{ type: 'page' }, { exclude: true }],
};
const SEVERAL_PROCESSES = {
  waitForDebuggerOnStart: true,
  filter: [{ type: 'page' }, { type: 'iframe' }, { type: 'worker' }, { exclude: true }],
};

/** Service workers outlive the page, and their requests are of no page. */
const WITHOUT_SERVICE_WORKERS = `if (globalThis.ServiceWorkerContainer !== undefined) {
  Object.defineProperty(ServiceWorkerContainer.prototype, 'register', {
    value: async function register() { throw new DOMException('Service workers are off.', 'SecurityError'); },
  });
}`;

/** Frames bear real time; a script that measures by them sees the page's own time pass, too. */
const FRAMES_BY_THE_CLOCK = `{
  const request = requestAnimationFrame;
  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    if (typeof callback !== 'function') return request.call(window, callback);
    return request.call(window, (time) => {
      const now = performance.now();
      callback(now - time > 1000 ? now : time);
    });
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

interface VisitorTaste {
  readonly colorScheme: 'light' | 'dark';
  readonly motion: 'reduce' | 'no-preference';
  readonly media?: 'screen' | 'print' | undefined;
}

/** What styles ask of the visitor; the medium is that of the capture's kind where none is said. */
export const setMedia = async (
  protocol: ProtocolSession,
  { colorScheme, motion, media }: VisitorTaste,
): Promise<void> =>
  protocol.send('Emulation.setEmulatedMedia', {
    media: media ?? '',
    features: [
      { name: 'prefers-color-scheme', value: colorScheme },
      { name: 'prefers-reduced-motion', value: motion },
    ],
  });

/** Commands whose effect ends with a process: each process of a page gets them again. */
const OF_EACH_PROCESS: ReadonlySet<string> = new Set<keyof ProtocolMapping.Commands>([
  'Emulation.setEmulatedMedia',
  'Emulation.setLocaleOverride',
  'Emulation.setScriptExecutionDisabled',
  'Emulation.setScrollbarsHidden',
  'Emulation.setTimezoneOverride',
  'Emulation.setTouchEmulationEnabled',
  'Emulation.setUserAgentOverride',
]);

/** Which targets are attached to a page, and to each of its frames and workers that has a session of its own. */
type Children = typeof ONE_PROCESS | typeof SEVERAL_PROCESSES;

const attachChildren = (protocol: ProtocolSession, children: Children): Promise<void> =>
  protocol.send('Target.setAutoAttach', { autoAttach: true, flatten: true, ...children });

/** A frame of another process gets what its page has; a window that a page opens is closed. */
function seeToChildren(
  browser: Browser,
  protocol: ProtocolSession,
  onWorker: (worker: PageWorker) => void,
): void {
  protocol.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const { targetId, type } = targetInfo;
    if (type === 'page') {
      browser.protocol.send('Target.closeTarget', { targetId }).catch(ignore);
      return;
    }
    const child = browser.connection.session(sessionId);
    seeToChildren(browser, child, onWorker);
    attachChildren(child, SEVERAL_PROCESSES).catch(ignore);
    if (type === 'worker') onWorker(targetInfo);
    if (type === 'iframe') {
      child.send('Page.addScriptToEvaluateOnNewDocument', { source: WITHOUT_SERVICE_WORKERS }).catch(ignore);
      child.emulateLike(protocol, OF_EACH_PROCESS);
    }
    child.send('Runtime.runIfWaitingForDebugger').catch(ignore);
  });
}

/** Answers every dialog of a page at once, without effect, and makes the page look as it does in front of a person. */
async function setUp(protocol: ProtocolSession, requests: HeldRequests, proxy: ContextProxy | undefined) {
  protocol.on('Page.javascriptDialogOpening', () => {
    protocol.send('Page.handleJavaScriptDialog', { accept: false }).catch(ignore);
  });
  await Promise.all([
    protocol.send('Page.enable'),
    protocol.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    protocol.send('Inspector.enable'),
    attachChildren(protocol, proxy === undefined ? ONE_PROCESS : SEVERAL_PROCESSES),
    protocol.send('Page.addScriptToEvaluateOnNewDocument', { source: WITHOUT_SERVICE_WORKERS }),
    setViewport(protocol, DEFAULT_VIEWPORT),
    protocol.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    protocol.send('Emulation.setScrollbarsHidden', { hidden: true }),
    setMedia(protocol, { colorScheme: 'light', motion: 'reduce' }),
    protocol.send('Page.addScriptToEvaluateOnNewDocument', { source: FRAMES_BY_THE_CLOCK }),
    requests.authenticate(),
  ]);
}

/** Opens a blank page in a context of its own, without permissions and downloads. */
export async function openBlankPage(browser: Browser, proxy?: ContextProxy): Promise<BlankPage> {
  const { browserContextId } = await browser.protocol.send('Target.createBrowserContext', {
    disposeOnDetach: true,
    ...(proxy === undefined ? {} : { proxyServer: proxy.server, proxyBypassList: proxy.bypass }),
  });
  const close = () => browser.protocol.send('Target.disposeBrowserContext', { browserContextId });
  try {
    const [{ targetId }] = await Promise.all([
      browser.protocol.send('Target.createTarget', { url: 'about:blank', browserContextId }),
      browser.protocol.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      browser.protocol.send('Browser.grantPermissions', { permissions: [], browserContextId }),
    ]);
    const attached = await browser.protocol.send('Target.attachToTarget', { targetId, flatten: true });
    const protocol = browser.connection.session(attached.sessionId);
    // The main frame bears the name of its target.
    const document = new MainDocument(protocol, targetId);
    const requests = new HeldRequests(protocol, proxy);
    const workerListeners: ((worker: PageWorker) => void)[] = [];
    const onWorker = async (listener: (worker: PageWorker) => void) => {
      workerListeners.push(listener);
      await attachChildren(protocol, SEVERAL_PROCESSES);
    };
    seeToChildren(browser, protocol, (worker) => workerListeners.forEach((listener) => listener(worker)));
    await setUp(protocol, requests, proxy);
    return { protocol, document, requests, onWorker, close };
  } catch (error) {
    close().catch(ignore);
    throw error;
  }
}
