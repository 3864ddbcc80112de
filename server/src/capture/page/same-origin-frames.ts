import { parseUrl } from '@signpost/contract';
import { z } from 'zod';
import { withinTime } from '../../platform/within-time.js';
import type { BlankPage } from '../browser/blank-page.js';
import type { ProtocolSession } from '../browser/protocol/session.js';
import { OWN_WORLD } from './open-page.js';

/** How long a busy page may take to return a frame's origin. After that, the frame counts as one of another origin. */
const MAX_ASKING_MS = 3_000;

const evaluated = z.string();
const tooLate = () => new Error('The page did not return the origin of a frame in time.');

/** A frame with the document that it contains. */
interface FrameDocument {
  readonly frameId: string;
  /** Identifies the document; undefined for the initial document of a frame, which has the origin of its creator. */
  readonly loaderId: string | undefined;
}

/**
 * Determines which frames of a page contain a document of one origin. Only the document itself knows its origin: a
 * frame in a sandbox has an address of that origin, but not its rights.
 */
export class SameOriginFrames {
  readonly #parents = new Map<string, string>();
  /** The document in each frame, and the session of its process. */
  readonly #documents = new Map<string, { readonly loaderId: string; readonly session: ProtocolSession }>();
  /**
   * Frames with a worker of opaque origin, whose requests look like those of the frame. `undefined` stands for such a
   * worker whose frame is unknown, so that it may be in any frame.
   */
  readonly #withOpaqueWorkers = new Set<string | undefined>();
  /** Whether any frame of the current page has had a document with an http or https address of another origin. */
  #hadOtherOrigins = false;

  #page: BlankPage;
  readonly #origin: string;

  constructor(page: BlankPage, origin: string) {
    this.#page = page;
    this.#origin = origin;
    page.sessions.onSession((session) => this.#follow(session));
  }

  static async follow(page: BlankPage, origin: string): Promise<SameOriginFrames> {
    const frames = new SameOriginFrames(page, origin);
    await page.onWorker(({ url, parentFrameId }) => {
      if (url.startsWith('data:')) frames.#withOpaqueWorkers.add(parentFrameId);
    });
    return frames;
  }

  /**
   * A frame, followed by the frames around it, each with its document at this moment, because another document may
   * replace it while the origin is being determined. Empty if there is no such frame.
   */
  path(frameId: string): readonly FrameDocument[] {
    const path: FrameDocument[] = [];
    let frame: string | undefined = frameId;
    while (frame !== undefined) {
      path.push({ frameId: frame, loaderId: this.#documents.get(frame)?.loaderId });
      if (frame === this.#page.document.frameId) return path;
      frame = this.#parents.get(frame);
    }
    return [];
  }

  /** Whether each of these documents is still in its frame and has the origin that the constructor got. */
  async areSameOrigin(documents: readonly FrameDocument[]): Promise<boolean> {
    for (const document of documents) if (!(await this.#isSameOrigin(document))) return false;
    return true;
  }

  /**
   * Whether the page and all of its frames have the origin, and no frame since the last navigation of the page has had
   * an http or https address of another one. A frame can navigate the whole page, and the browser does not say which
   * one did.
   */
  async areAllSameOrigin(): Promise<boolean> {
    if (this.#hadOtherOrigins) return false;
    const frameIds = [this.#page.document.frameId, ...this.#parents.keys()];
    return this.areSameOrigin(
      frameIds.map((frameId) => ({ frameId, loaderId: this.#documents.get(frameId)?.loaderId })),
    );
  }

  /** Whether a request that seems to be of this frame may be of a worker that has another origin. */
  isAmbiguous(frameId: string): boolean {
    return this.#withOpaqueWorkers.has(frameId) || this.#withOpaqueWorkers.has(undefined);
  }

  #follow(session: ProtocolSession): void {
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
      this.#parents.set(frameId, parentFrameId);
    });
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      // The frame continues in another process.
      if (reason === 'swap') return;
      this.#parents.delete(frameId);
      this.#documents.delete(frameId);
    });
    session.on('Page.frameNavigated', ({ frame: { id, loaderId, url } }) => {
      this.#documents.set(id, { loaderId, session });
      if (id === this.#page.document.frameId) this.#hadOtherOrigins = false;
      else if (/^https?:/iu.test(url) && parseUrl(url)?.origin !== this.#origin) this.#hadOtherOrigins = true;
    });
  }

  async #isSameOrigin({ frameId, loaderId }: FrameDocument): Promise<boolean> {
    const asking = withinTime(this.#originOf(frameId), MAX_ASKING_MS, tooLate);
    const origin = await asking.catch(() => undefined);
    return origin === this.#origin && this.#documents.get(frameId)?.loaderId === loaderId;
  }

  async #originOf(frameId: string): Promise<string> {
    const session = this.#documents.get(frameId)?.session ?? this.#page.protocol;
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId,
      worldName: OWN_WORLD,
    });
    const { result } = await session.send('Runtime.evaluate', { expression: 'origin', contextId });
    return evaluated.parse(result.value);
  }
}
