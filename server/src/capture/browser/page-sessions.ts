import type { ProtocolSession } from './protocol/session.js';

/** Gets a session, and the id of the outermost of its frames. */
type SessionListener = (session: ProtocolSession, frameId: string) => void;

/** The sessions of a page: its own, and one for each frame that runs in another process. */
export class PageSessions {
  readonly #frames = new Map<ProtocolSession, string>();
  readonly #listeners: SessionListener[] = [];

  constructor(
    readonly page: ProtocolSession,
    mainFrameId: string,
  ) {
    this.#frames.set(page, mainFrameId);
  }

  /** Calls the listener with each session: those there are, and later ones before their documents run. */
  each(listener: SessionListener): void {
    this.#listeners.push(listener);
    for (const [session, frameId] of this.#frames) listener(session, frameId);
  }

  /** The sessions of frames in other processes. */
  get ofFrames(): readonly ProtocolSession[] {
    return [...this.#frames.keys()].filter((session) => session !== this.page);
  }

  /** The ids of these frames. */
  get frameIds(): readonly string[] {
    return [...this.#frames.values()].slice(1);
  }

  /** Adds the session of a frame, until it is closed. */
  add(session: ProtocolSession, frameId: string): void {
    this.#frames.set(session, frameId);
    session.onClosed(() => this.#frames.delete(session));
    for (const listener of this.#listeners) listener(session, frameId);
  }
}
