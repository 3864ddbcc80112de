import type { ProtocolSession } from './protocol/session.js';

/** Called with a session and the id of its outermost frame. */
type SessionListener = (session: ProtocolSession, frameId: string) => void;

/** A frame that runs in another process than the document that contains it. */
export interface SeparateFrame {
  readonly session: ProtocolSession;
  readonly frameId: string;
  /** The frame that contains this one, if the browser says which. */
  readonly parentFrameId: string | undefined;
}

/** The sessions of a page: its own, and one for each frame that runs in another process. */
export class PageSessions {
  readonly #frames = new Set<SeparateFrame>();
  readonly #listeners: SessionListener[] = [];

  readonly #mainFrameId: string;

  constructor(
    readonly page: ProtocolSession,
    mainFrameId: string,
  ) {
    this.#mainFrameId = mainFrameId;
  }

  /** Calls the listener with every existing session, and with each later session before its document runs. */
  onSession(listener: SessionListener): void {
    this.#listeners.push(listener);
    listener(this.page, this.#mainFrameId);
    for (const { session, frameId } of this.#frames) listener(session, frameId);
  }

  get frames(): readonly SeparateFrame[] {
    return [...this.#frames];
  }

  /** Adds a frame. It is removed when its session is closed. */
  add(frame: SeparateFrame): void {
    const { session, frameId } = frame;
    this.#frames.add(frame);
    session.onClosed(() => this.#frames.delete(frame));
    for (const listener of this.#listeners) listener(session, frameId);
  }
}
