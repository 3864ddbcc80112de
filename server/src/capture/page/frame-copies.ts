import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { z } from 'zod';
import { withinTime } from '../../platform/within-time.js';
import type { SeparateFrame } from '../browser/page-sessions.js';
import { AnswerTooLong, ProtocolError, SessionClosed } from '../browser/protocol/protocol-errors.js';
import type { ProtocolSession } from '../browser/protocol/session.js';
import { COPY_SCRIPT } from '../reading/reading-scripts.js';
import { FRAME_MARK } from '../reading/special-elements.js';
import { OWN_WORLD, type OpenPage } from './open-page.js';

/** The maximum length of all copies as JSON. The copy that exceeds it is dropped, like those after it. */
const MAX_CHARACTERS = 8_000_000;
/** At most this many frames of other origins are copied. */
const MAX_FRAMES = 20;

type FrameTree = ProtocolMapping.Commands['Page.getFrameTree']['returnType']['frameTree'];

/** Copies of frames that the document around them cannot access, by the mark on the frame's element. */
export type FrameCopies = Record<string, unknown>;

/** A function that marks the element of a frame. Returns whether the element is large enough to be seen. */
const markFrame = `function (name) {
  Element.prototype.setAttribute.call(this, '${FRAME_MARK}', name);
  const { width, height } = Element.prototype.getBoundingClientRect.call(this);
  return width > 1 && height > 1;
}`;

const isSeen = z.boolean();

/** How long copying a frame in another process may take. A busy frame must not delay the page. */
const MAX_FRAME_MS = 3_000;
const tooBusy = () => new FrameLeftOut('A frame in another process was too busy to be read.');

class FrameLeftOut extends Error {}

/** Whether the error means that a frame is left out, because it has disappeared, is too large or is too busy. */
const isLeftOut = (error: unknown): boolean =>
  [ProtocolError, AnswerTooLong, SessionClosed, FrameLeftOut].some((kind) => error instanceof kind);

/** Returns no copies if the error means that the frame is left out. Throws any other error. */
function noCopiesIfLeftOut(error: unknown): FrameCopies {
  if (isLeftOut(error)) return {};
  throw error;
}

/** Copies the frames of other origins one after another. */
class FrameCopier {
  readonly #worlds = new Map<string, number>();
  #leftCharacters = MAX_CHARACTERS;
  #count = 0;

  readonly #open: OpenPage;
  readonly #options: object;

  constructor(open: OpenPage, options: object) {
    this.#open = open;
    this.#options = options;
  }

  /** Copies the frames of other origins inside a document, and inside the frames that it can access. */
  async copyFrames({ frame, childFrames = [] }: FrameTree, session: ProtocolSession): Promise<FrameCopies> {
    const copies: FrameCopies = {};
    for (const child of childFrames) {
      const { securityOrigin } = child.frame;
      const mayEnter =
        securityOrigin === frame.securityOrigin && securityOrigin.includes('://') && securityOrigin !== '://';
      if (mayEnter) Object.assign(copies, await this.copyFrames(child, session));
      else if (this.#count < MAX_FRAMES)
        Object.assign(copies, await this.#copy(child, { session, frameId: frame.id }, session));
    }
    for (const separate of this.#open.sessions.frames)
      if (separate.parentFrameId === frame.id && this.#count < MAX_FRAMES)
        Object.assign(copies, await this.#copySeparate(separate, { session, frameId: frame.id }));
    return copies;
  }

  async #copySeparate(
    { session }: SeparateFrame,
    parent: { readonly session: ProtocolSession; readonly frameId: string },
  ): Promise<FrameCopies> {
    const copying = session
      .send('Page.getFrameTree')
      .then(async ({ frameTree }) => this.#copy(frameTree, parent, session));
    return this.#open.deadline.race(withinTime(copying, MAX_FRAME_MS, tooBusy)).catch(noCopiesIfLeftOut);
  }

  async #copy(
    tree: FrameTree,
    parent: { readonly session: ProtocolSession; readonly frameId: string },
    session: ProtocolSession,
  ): Promise<FrameCopies> {
    this.#count += 1;
    const mark = String(this.#count);
    const { deadline } = this.#open;
    try {
      const { backendNodeId } = await deadline.race(
        parent.session.send('DOM.getFrameOwner', { frameId: tree.frame.id }),
      );
      const executionContextId = await this.#world(parent.frameId, parent.session);
      const { object } = await deadline.race(
        parent.session.send('DOM.resolveNode', { backendNodeId, executionContextId }),
      );
      const marked = await deadline.race(
        parent.session.send('Runtime.callFunctionOn', {
          functionDeclaration: markFrame,
          ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
          arguments: [{ value: mark }],
          returnByValue: true,
        }),
      );
      if (!isSeen.parse(marked.result.value)) return {};
      const options = JSON.stringify({ ...this.#options, frames: await this.copyFrames(tree, session) });
      const { result } = await deadline.race(
        session.send('Runtime.evaluate', {
          expression: `(${COPY_SCRIPT})(${options})`,
          contextId: await this.#world(tree.frame.id, session),
          returnByValue: true,
        }),
      );
      const copy: unknown = result.value;
      this.#leftCharacters -= JSON.stringify(copy ?? null).length;
      return this.#leftCharacters < 0 ? {} : { [mark]: copy };
    } catch (error) {
      return noCopiesIfLeftOut(error);
    }
  }

  async #world(frameId: string, session: ProtocolSession): Promise<number> {
    const known = this.#worlds.get(frameId);
    if (known !== undefined) return known;
    const world = await this.#open.deadline.race(
      session.send('Page.createIsolatedWorld', { frameId, worldName: OWN_WORLD }),
    );
    this.#worlds.set(frameId, world.executionContextId);
    return world.executionContextId;
  }
}

/** Copies the frames of a page that the documents around them cannot access, up to MAX_FRAMES of them. */
export async function copyForeignFrames(open: OpenPage, options: object): Promise<FrameCopies> {
  const { frameTree } = await open.deadline.race(open.protocol.send('Page.getFrameTree'));
  if (frameTree.childFrames === undefined && open.sessions.frames.length === 0) return {};
  return new FrameCopier(open, options).copyFrames(frameTree, open.protocol);
}
