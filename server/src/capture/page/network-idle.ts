import type { ProtocolSession } from '../browser/protocol/session.js';

/** Requests that may last as long as the page, and say nothing about whether it is complete. */
const NEVER_AWAITED = new Set(['EventSource', 'WebSocket', 'Ping', 'Media']);
/** The types of resources that styles load. */
const OF_STYLES = new Set(['Font', 'Image', 'Other', 'Stylesheet']);

/** Whether a type of request must be waited for. */
type IsAwaited = (type: string) => boolean;
export const mayEnd: IsAwaited = (type) => !NEVER_AWAITED.has(type);
export const isOfStyles: IsAwaited = (type) => OF_STYLES.has(type);

/** Tracks what a page fetches, only for captures that need it: these events are many. */
export class NetworkIdle {
  readonly #underWay = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  private constructor(
    session: ProtocolSession,
    private readonly idleMs: number,
    isAwaited: IsAwaited,
  ) {
    session.on('Network.requestWillBeSent', ({ requestId, type }) => {
      if (isAwaited(type ?? 'Other')) this.#begin(requestId);
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => this.#end(requestId));
    session.on('Page.frameNavigated', ({ frame: { parentId, loaderId } }) => {
      if (parentId === undefined) this.#replace(loaderId);
    });
  }

  /** Tracks all requests from now on. */
  static async follow(session: ProtocolSession, idleMs: number, isAwaited: IsAwaited): Promise<NetworkIdle> {
    const idle = new NetworkIdle(session, idleMs, isAwaited);
    await session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    return idle;
  }

  /** Resolves when no awaited request has been running for `idleMs`. */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#underWay.size === 0) this.#rest();
    });
  }

  #begin(requestId: string): void {
    clearTimeout(this.#timer);
    this.#underWay.add(requestId);
  }

  #end(requestId: string): void {
    if (this.#underWay.delete(requestId) && this.#underWay.size === 0) this.#rest();
  }

  /**
   * The previous document's requests get no end events. The request for the new document, named like its
   * loader, does.
   */
  #replace(loaderId: string): void {
    for (const requestId of this.#underWay) if (requestId !== loaderId) this.#end(requestId);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onIdle?.(), this.idleMs);
  }
}
