import type { PageSessions } from '../browser/page-sessions.js';
import type { ProtocolSession } from '../browser/protocol/session.js';

/** Types of requests that may last as long as the page, and so do not show whether it is complete. */
const NEVER_AWAITED = new Set(['EventSource', 'WebSocket', 'Ping', 'Media']);
/** Types of resources that styles load. */
const LOADED_BY_STYLES = new Set(['Font', 'Image', 'Other', 'Stylesheet']);

/** Whether a type of request must be waited for. */
type IsAwaited = (type: string) => boolean;
export const mayEnd: IsAwaited = (type) => !NEVER_AWAITED.has(type);
export const isLoadedByStyles: IsAwaited = (type) => LOADED_BY_STYLES.has(type);

/** Tracks what a page fetches. Used only for captures that need it, because the browser then reports many events. */
export class NetworkIdle {
  /** The running requests that are waited for, each with its session. */
  readonly #runningRequests = new Map<string, ProtocolSession>();
  #timer: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  #idleMs: number;
  readonly #isAwaited: IsAwaited;

  constructor(idleMs: number, isAwaited: IsAwaited) {
    this.#idleMs = idleMs;
    this.#isAwaited = isAwaited;
  }

  /** Tracks, from now on, the requests of a page and its frames for whose type `isAwaited` returns true. */
  static async follow(sessions: PageSessions, idleMs: number, isAwaited: IsAwaited): Promise<NetworkIdle> {
    const idle = new NetworkIdle(idleMs, isAwaited);
    const enabled: Promise<void>[] = [];
    sessions.onSession((session) => {
      const enabling = idle.#follow(session);
      if (session === sessions.page) enabled.push(enabling);
      else enabling.catch(() => undefined);
    });
    await Promise.all(enabled);
    return idle;
  }

  /** Resolves when, for `idleMs`, none of the requests that are waited for has been running. */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#runningRequests.size === 0) this.#startIdleTimer();
    });
  }

  #follow(session: ProtocolSession): Promise<void> {
    session.on('Network.requestWillBeSent', ({ requestId, type }) => {
      if (this.#isAwaited(type ?? 'Other')) this.#begin(requestId, session);
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => this.#end(requestId));
    session.on('Page.frameNavigated', ({ frame: { parentId, loaderId } }) => {
      if (parentId === undefined) this.#replace(loaderId);
    });
    // A frame that has disappeared does not report the ends of its requests.
    session.onClosed(() => {
      for (const [requestId, requester] of this.#runningRequests)
        if (requester === session) this.#end(requestId);
    });
    return session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
  }

  #begin(requestId: string, session: ProtocolSession): void {
    clearTimeout(this.#timer);
    this.#runningRequests.set(requestId, session);
  }

  #end(requestId: string): void {
    if (this.#runningRequests.delete(requestId) && this.#runningRequests.size === 0) this.#startIdleTimer();
  }

  /**
   * Forgets the requests of the previous document, because their ends are not reported. The request for the new
   * document is kept: its id is the loader's id.
   */
  #replace(loaderId: string): void {
    for (const requestId of this.#runningRequests.keys()) if (requestId !== loaderId) this.#end(requestId);
  }

  #startIdleTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onIdle?.(), this.#idleMs);
  }
}
